#skip-unless python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))'
The SDK for Python beside a poprun that answers in every way.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1
  $ cat > answers.py <<'Y'
  > import os, socket, struct, sys, threading
  > place = sys.argv[1]
  > os.environ.update(POPDIST_NUM_TOTAL_REPLICAS="2", IPUBOX_JOB_DIR=place,
  >                   POPDIST_NUM_LOCAL_REPLICAS="1",
  >                   POPDIST_REPLICA_INDEX_OFFSET="1")
  > import popdist
  > from ipubox_sdk import backend
  > from popdist.collectives import allReduceSum
  > os.makedirs(place)
  > above = os.open(place, os.O_PATH)
  > listener = socket.socket(socket.AF_UNIX)
  > listener.bind(f"/proc/self/fd/{above}/collectives")
  > listener.listen(1)
  > 
  > def message(kind, body, request=None, size=None):
  >     return lambda asked: struct.pack(
  >         "<IHHII", 16 + len(body) if size is None else size, kind, 0,
  >         asked if request is None else request, 0) + body
  > 
  > welcome = message(128, struct.pack("<II", 1, 1))
  > eight = message(128, struct.pack("<d", 5))
  > full = message(129, b"\11\0\0\0full")
  > def split(answer):
  >     return lambda asked: [answer(asked)[i:i + 1] for i in range(24)]
  > 
  > def serve(answers):
  >     connection = listener.accept()[0]
  >     for answer in answers:
  >         head = connection.recv(65536)
  >         if head[4:6] == b"\6\0":       # no room for a mailbox
  >             connection.sendall(full(struct.unpack_from("<I", head, 8)[0]))
  >             head = connection.recv(65536)
  >         if not head:
  >             break
  >         parts = answer(struct.unpack_from("<I", head, 8)[0])
  >         for part in parts if isinstance(parts, list) else [parts]:
  >             connection.sendall(part)
  >     connection.close()
  > 
  > def run(what, *answers):
  >     thread = threading.Thread(target=serve, args=(answers,))
  >     thread.start()
  >     for attempt in range(3):
  >         try:
  >             popdist.init()
  >             print(what, "gives", allReduceSum(2.0))
  >             break
  >         except popdist.PopdistError as error:
  >             print(what, "says", error)
  >             if "no longer use" in str(error) or \
  >                     not popdist.isBackendInitialized():
  >                 break
  >     if backend._state.group:
  >         for lane in backend._state.group._lanes:
  >             lane.close()
  >     thread.join()
  >     backend._state.group = None
  > 
  > run("good", welcome, eight)
  > run("in pieces", split(welcome), split(eight))
  > run("an error", welcome, message(129, b"\5\0\0\0late"), eight)
  > run("malformed", welcome, message(129, b"\1\0\0\0what"))
  > run("an unknown error", welcome, message(129, b"\377\0\0\0new"), eight)
  > run("a short error", welcome, message(129, b"\5"))
  > run("no welcome", message(128, b""))
  > run("another version", message(129, b"\2\0\0\0version 2"))
  > run("an end", welcome)
  > run("half an answer", welcome, lambda asked: eight(asked)[:20])
  > run("half a head", welcome, lambda asked: eight(asked)[:5])
  > run("another request", welcome, message(128, bytes(8), request=77))
  > run("another kind", welcome, message(7, bytes(8)))
  > run("too much", welcome, message(128, bytes(9)))
  > run("two answers", welcome, lambda asked: eight(asked) * 2)
  > run("a large size", welcome, message(128, bytes(8), size=1 << 20))
  > run("a small size", welcome, message(128, bytes(8), size=3))
  > Y
  $ python3 answers.py "$PWD/here"
  good gives 5.0
  in pieces gives 5.0
  an error says late
  an error gives 5.0
  malformed says what
  malformed says this program can no longer use the job's collectives, because its connection to poprun has ended
  an unknown error says new
  an unknown error gives 5.0
  a short error says poprun's answer is not valid; see ipubox-link(7)
  a short error says this program can no longer use the job's collectives, because its connection to poprun has ended
  no welcome says poprun's answer is not valid; see ipubox-link(7)
  another version says version 2
  an end says poprun has ended
  an end says this program can no longer use the job's collectives, because its connection to poprun has ended
  half an answer says poprun has ended
  half an answer says this program can no longer use the job's collectives, because its connection to poprun has ended
  half a head says poprun has ended
  half a head says this program can no longer use the job's collectives, because its connection to poprun has ended
  another request says poprun's answer is not valid; see ipubox-link(7)
  another request says this program can no longer use the job's collectives, because its connection to poprun has ended
  another kind says poprun's answer is not valid; see ipubox-link(7)
  another kind says this program can no longer use the job's collectives, because its connection to poprun has ended
  too much says poprun's answer is not valid; see ipubox-link(7)
  too much says this program can no longer use the job's collectives, because its connection to poprun has ended
  two answers says poprun's answer is not valid; see ipubox-link(7)
  two answers says this program can no longer use the job's collectives, because its connection to poprun has ended
  a large size says poprun's answer is not valid; see ipubox-link(7)
  a large size says this program can no longer use the job's collectives, because its connection to poprun has ended
  a small size says poprun's answer is not valid; see ipubox-link(7)
  a small size says this program can no longer use the job's collectives, because its connection to poprun has ended

A job's directory may have a long path:

  $ long=$(printf '%0120d' 0)
  $ python3 answers.py "$PWD/$long" | head -1
  good gives 5.0
