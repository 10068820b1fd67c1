"""Instances that meet in collectives: all of a job, or some of them.

A group knows its communicators, and has the connections to poprun by which
it takes part.  A group of one has none: nobody need be asked.
"""
import hashlib

from ipubox_sdk.error import PopdistError
from ipubox_sdk.lane import GROUP_MAX, Lane

DEFAULT = "default"     # PopDist's communicator where none is named

_LEAVE_SECONDS = 5      # for poprun's answer to a good-bye
_LOST = ("this program can no longer use the job's collectives, because its "
         "connection to poprun has ended")


def _list(numbers):
    """Ascending numbers as a list of ranges."""
    ranges = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}"
                    for first, last in ranges)


class Group:
    """The instances `members`, ascending, of which this is `instance`.

    `name` is "" for all of the job; the others are made for some of those
    of an `outer` group.  `directory` is where the job meets, None: nobody
    is asked.  Threads may use a group at the same time.
    """

    def __init__(self, name, members, instance, directory, outer=None):
        self.name = name
        self.outer = outer
        self.members = members
        self.instance = instance
        self.position = members.index(instance)
        self.calls = 0          # of execute_on_instances() in this group
        self.communicators = {}
        self._directory = directory if len(members) > 1 else None
        self.is_alone = self._directory is None     # nobody need be asked
        self._lanes = []        # that no thread uses
        self._busy = set()
        self._over = None       # why nobody takes part any more

    def open(self):
        """Connect, so that what is wrong is said now."""
        if self._directory is not None and not self._lanes:
            self._give(self._take())

    def inner(self, members):
        """A group of some members, whose name is that of this call alone.

        All instances make the same calls, so they find the same name.  It
        says who the members are, as 0-2,5, where there is room for that.
        """
        call = f"{self.name.partition('@')[0] or 'run'}.{self.calls}"
        name = f"{call}@{_list(members)}"
        if len(name) > GROUP_MAX:
            name = "run " + hashlib.sha1(name.encode()).hexdigest()
        return Group(name, members, self.instance, self._directory, self)

    def _new_lane(self):
        return Lane(self._directory, self.instance, self.name,
                    self.position, len(self.members))

    def _take(self):
        """A lane for the calling thread, which gives it back."""
        if self._over is not None:
            raise PopdistError(*self._over)
        try:
            lane = self._lanes.pop()
        except IndexError:
            lane = self._new_lane()
        self._busy.add(lane)
        return lane

    def _give(self, lane):
        """The thread does not wait any more.

        A lane that has broken ends it all: for poprun this instance is
        gone.
        """
        self._busy.discard(lane)
        if self._over is None and not lane.is_good():
            self._over = (_LOST, "unavailable")
        if self._over is None:
            self._lanes.append(lane)
        else:
            lane.close()

    def ask(self, method, *arguments):
        """Call a method of Lane, which waits for the others."""
        lane = self._take()
        try:
            return method(lane, *arguments)
        except PopdistError:
            if self._over is None or lane.is_good():
                raise
            raise PopdistError(*self._over) from None
        finally:
            self._give(lane)

    def register(self, name, members):
        """Name some of the members; waits for all of the group."""
        for member in members:
            if member not in self.members:
                raise PopdistError(f"communicator '{name}': instance {member} "
                                   "does not exist")
        if self._directory is not None:
            self.ask(Lane.register, name.encode(),
                     [self.members.index(member) for member in members])
        self.communicators[name] = members

    def leave(self, for_good):
        """Take part no more; threads that still wait get an error."""
        if for_good:
            self._over = ("this program has left the job's collectives",
                          "left")
            if self._directory is not None and self._busy and \
                    not self._lanes:
                try:
                    self._lanes.append(self._new_lane())
                except PopdistError:
                    pass        # poprun has ended: nobody need know
        while self._lanes:
            self._lanes.pop().leave(for_good, _LEAVE_SECONDS)
        if for_good:
            for lane in list(self._busy):
                lane.shut()

    def drop(self):
        """Be gone for the others, who may be waiting for this one."""
        if self._directory is None:
            return
        try:
            self.open()
        except PopdistError:
            pass                # poprun has ended: nobody waits
        self._over = (_LOST, "unavailable")
        while self._lanes:
            self._lanes.pop().close()

    def abandon(self):
        """Leave it to the end of the process to end the connections.

        poprun learns then at the same time how it ended.
        """
        while self._lanes:
            self._lanes.pop().detach()

    def forget(self):
        """In a process that was forked: leave the connections alone.

        Its copies of them would keep them open when the parent is gone.
        """
        for lane in self._lanes + list(self._busy):
            lane.close()
