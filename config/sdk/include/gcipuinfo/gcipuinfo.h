/*
 * Graphcore's library of that name for C++: it lists the IPUs, the programs
 * that use them, and their sensors and errors.
 *
 *	gcipuinfo	info;
 *
 *	info.setUpdateMode(true);
 *	for (const auto &watts : info.getNamedAttributeForAll(IpuPower))
 *		std::cout << watts << "\n";
 *
 * The class runs the tool gc-inventory and reads its JSON, which shows all
 * devices at one moment and takes a few milliseconds.  A program that includes
 * this file needs no other library.
 */
#ifndef GCIPUINFO_GCIPUINFO_H
#define GCIPUINFO_GCIPUINFO_H

#include "../../lib/ipubox_file.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

extern char	**environ;

enum DeviceDiscoveryMode {
	DiscoverActivePartitionIPUs, /* of the partition that a program sees */
	DiscoverAllPartitionIPUs
};

/* The labels of attributes. */
#define GCIPUINFO_LABEL(label, name) \
	static constexpr const char *label __attribute__((unused)) = name
GCIPUINFO_LABEL(AverageBoardTemp, "average board temp");
GCIPUINFO_LABEL(AverageDieTemp, "average die temp");
GCIPUINFO_LABEL(BoardIpuIndex, "board ipu index");
GCIPUINFO_LABEL(BoardSerialNumber, "board serial number");
GCIPUINFO_LABEL(BoardType, "board type");
GCIPUINFO_LABEL(BoardVariant, "board variant");
GCIPUINFO_LABEL(Clock, "clock");
GCIPUINFO_LABEL(ConfigDomain, "config domain");
GCIPUINFO_LABEL(DriverVersion, "driver version");
GCIPUINFO_LABEL(FirmwareMajorVersion, "firmware major version");
GCIPUINFO_LABEL(FirmwareMinorVersion, "firmware minor version");
GCIPUINFO_LABEL(FirmwarePatchVersion, "firmware patch version");
GCIPUINFO_LABEL(FirmwareVersion, "firmware version");
GCIPUINFO_LABEL(GCDId, "GCD Id");
GCIPUINFO_LABEL(GatewaySoftwareVersion, "gateway software version");
GCIPUINFO_LABEL(GraphStreaming, "graph streaming");
GCIPUINFO_LABEL(HexoattActiveSizeBytes, "hexoatt active size (bytes)");
GCIPUINFO_LABEL(HexoattTotalSizeBytes, "hexoatt total size (bytes)");
GCIPUINFO_LABEL(HexoptActiveSizeBytes, "hexopt active size (bytes)");
GCIPUINFO_LABEL(HexoptTotalSizeBytes, "hexopt total size (bytes)");
GCIPUINFO_LABEL(HostLinkCorrectableErrorCount,
    "host link correctable error count");
GCIPUINFO_LABEL(IcuBootloaderVersion, "icu bootloader version");
GCIPUINFO_LABEL(Id, "id");
GCIPUINFO_LABEL(IpuArchitecture, "ipu architecture");
GCIPUINFO_LABEL(IpuErrorState, "ipu error state");
GCIPUINFO_LABEL(IpuPower, "ipu power");
GCIPUINFO_LABEL(IpuUtilisation, "ipu utilisation");
GCIPUINFO_LABEL(IpuUtilisationSession, "ipu utilisation (session)");
GCIPUINFO_LABEL(IpuofHost, "ipuof host");
GCIPUINFO_LABEL(IpuofPartitionId, "ipuof partition id");
GCIPUINFO_LABEL(IpuofRoutingId, "ipuof routing id");
GCIPUINFO_LABEL(IpuofRoutingType, "ipuof routing type");
GCIPUINFO_LABEL(IpuofServerVersion, "ipuof server version");
GCIPUINFO_LABEL(LinkCorrectableErrorCount, "link correctable error count");
GCIPUINFO_LABEL(LinkCorrectableErrorCountSession,
    "link correctable error count (session)");
GCIPUINFO_LABEL(LinkSpeed, "link speed");
GCIPUINFO_LABEL(LinkWidth, "link width");
GCIPUINFO_LABEL(NumGCDs, "Num GCDs");
GCIPUINFO_LABEL(NumberOfReplicas, "number of replicas");
GCIPUINFO_LABEL(ParityErrorCountThreshold, "parity error count threshold");
GCIPUINFO_LABEL(ParityErrorThresholdInterval,
    "parity error threshold interval");
GCIPUINFO_LABEL(ParityInitialised, "parity initialised");
GCIPUINFO_LABEL(PartitionSyncType, "partition sync type");
GCIPUINFO_LABEL(PciId, "pci id");
GCIPUINFO_LABEL(PciePhysicalSlot, "pcie physical slot");
GCIPUINFO_LABEL(ProcessStartTime, "process start time");
GCIPUINFO_LABEL(ReconfigurablePartition, "reconfigurable partition");
GCIPUINFO_LABEL(RemoteBuffers, "remote buffers");
GCIPUINFO_LABEL(RemoteBuffersSupported, "remote buffers supported");
GCIPUINFO_LABEL(Target, "target");
GCIPUINFO_LABEL(TotalBoardPower, "total board power");
GCIPUINFO_LABEL(UserExecutable, "user executable");
GCIPUINFO_LABEL(UserName, "user name");
GCIPUINFO_LABEL(UserProcessId, "user process id");
#undef GCIPUINFO_LABEL

class gcipuinfo {
public:
	using StringMap = std::map<std::string, std::string>;

	static constexpr const char *keyRecordPath = "event record path";
	static constexpr const char *keyTimestamp = "timestamp";
	static constexpr const char *keySeverity = "severity";
	static constexpr const char *keyCommandLine = "command line";
	static constexpr const char *keyPid = "pid";
	static constexpr const char *keyAttachedIPUs = "attached ipus";
	static constexpr const char *keySpecificIPUs = "specific ipus";
	static constexpr const char *keyAttachedIPUHosts =
	    "attached ipu hosts";
	static constexpr const char *keySpecificIPUHosts =
	    "specific ipu hosts";
	static constexpr const char *keyPartition = "partition";
	static constexpr const char *keyDescription = "description";

	explicit gcipuinfo(DeviceDiscoveryMode discoveryMode =
	    DiscoverActivePartitionIPUs) : mode(discoveryMode)
	{
		updateData();
	}

	/* Read all attributes again.  Returns false if the tool fails; it
	   prints the reason on standard error. */
	bool
	updateData()
	{
		std::string	text;

		devices.clear();
		return run(text) && parse(text);
	}

	/* Choose whether each of the calls below reads the attributes again;
	   at first none does. */
	void
	setUpdateMode(bool autoUpdate)
	{
		updates = autoUpdate;
	}

	/* Return all IPUs, each with all its attributes. */
	std::vector<StringMap>
	getDevices()
	{
		return present();
	}

	/* Return the same as a JSON array. */
	std::string
	getDevicesAsJSON()
	{
		std::string	text;

		for (const auto &device : present())
			text += (text.empty() ? "[" : ", ") + json(device);
		return text.empty() ? "[]" : text + "]";
	}

	/* Return one attribute of each IPU; "N/A" if an IPU lacks it. */
	std::vector<std::string>
	getNamedAttributeForAll(const std::string &attributeName)
	{
		std::vector<std::string>	values;

		for (const auto &device : present())
			values.push_back(get(device, attributeName));
		return values;
	}

	/* Return one attribute of one IPU; "N/A" if the IPU does not exist or
	   lacks it. */
	std::string
	getNamedAttributeForDevice(unsigned deviceId,
	    const std::string &attributeName)
	{
		for (const auto &device : present())
			if (get(device, Id) == std::to_string(deviceId))
				return get(device, attributeName);
		return "N/A";
	}

	/* Read the attributes again, and return the IPUs that do not work as a
	   JSON object, by the addresses of their machines. */
	std::string
	checkHealthOfDevices()
	{
		std::map<std::string, std::string>	hosts;
		std::string				text;

		if (!updateData())
			return "{\"error\": \"gc-inventory failed\"}";
		for (const auto &device : devices)
			if (get(device, IpuErrorState) != "no errors")
				add_fault(hosts[get(device, IpuofHost)],
				    device);
		for (const auto &host : hosts)
			text += (text.empty() ? "" : ", ") +
			    quoted(host.first) + ": [" + host.second + "]";
		return text.empty() ? "{}" : "{\"hosts\": {" + text + "}}";
	}

	/* Return an empty record: programs of ipubox write no records of
	   events. */
	StringMap
	getLastAppEventRecord(const std::string & = "") const
	{
		return StringMap();
	}

	/* Return the same as a JSON object. */
	std::string
	getLastAppEventRecordAsJSON(const std::string & = "") const
	{
		return "{}";
	}

private:
	DeviceDiscoveryMode	mode;
	bool			updates = false;
	std::vector<StringMap>	devices;

	const std::vector<StringMap> &
	present()
	{
		if (updates)
			updateData();
		return devices;
	}

	static std::string
	get(const StringMap &device, const std::string &name)
	{
		auto	found = device.find(name);

		return found == device.end() ? "N/A" : found->second;
	}

	/* ---- the tool ---- */

	/* Start the ipubox that IPUBOX_FILE names, else the one that wrote this
	   SDK, else that of PATH.  Returns an errno. */
	int
	start(pid_t &pid, posix_spawn_file_actions_t &actions) const
	{
		const char	*file = std::getenv("IPUBOX_FILE");
		static char	 own_name[] = "__ipubox", tool[] =
		    "gc-inventory", form[] = "--json-output", all[] =
		    "--all-partitions";
		std::string	 path;

		if (file != nullptr && *file != '\0')
			path = file;
		else if (access(IPUBOX_WRITTEN_BY, X_OK) == 0)
			path = IPUBOX_WRITTEN_BY;
		else
			path = "ipubox";

		char	*words[] = { &path[0], own_name, tool, form,
			mode == DiscoverAllPartitionIPUs ? all : nullptr,
			nullptr };

		return posix_spawnp(&pid, path.c_str(), &actions, nullptr,
		    words, environ);
	}

	bool
	run(std::string &text) const
	{
		posix_spawn_file_actions_t	actions;
		char				buffer[65536];
		int				ends[2], status;
		ssize_t				n;
		pid_t				pid;

		if (pipe2(ends, O_CLOEXEC) != 0)
			return false;
		posix_spawn_file_actions_init(&actions);
		posix_spawn_file_actions_adddup2(&actions, ends[1],
		    STDOUT_FILENO);
		status = start(pid, actions);
		posix_spawn_file_actions_destroy(&actions);
		close(ends[1]);
		while (status == 0 &&
		    ((n = read(ends[0], buffer, sizeof(buffer))) > 0 ||
		    (n == -1 && errno == EINTR)))
			if (n > 0)
				text.append(buffer,
				    static_cast<std::size_t>(n));
		close(ends[0]);
		if (status != 0)
			return false;
		while (waitpid(pid, &status, 0) == -1)
			if (errno != EINTR)
				return false;
		return WIFEXITED(status) && WEXITSTATUS(status) == 0;
	}

	/* ---- its JSON: objects of texts, in a list ---- */

	/* Add a device for each object, but not for groups of IPUs, which have
	   no attributes of their own. */
	bool
	parse(const std::string &text)
	{
		std::size_t	at = text.find('[');
		StringMap	device;
		std::string	name, value;

		if (at == std::string::npos)
			return false;
		while ((at = text.find_first_of("\"}]", at)) !=
		    std::string::npos && text[at] != ']') {
			if (text[at] == '}') {
				if (get(device, Target) != "Multi IPU")
					devices.push_back(device);
				device.clear();
				at++;
			} else if (word(text, at, name) &&
			    (at = text.find('"', at)) != std::string::npos &&
			    word(text, at, value)) {
				device[name] = value;
			} else {
				return false;
			}
		}
		return at != std::string::npos;
	}

	/* Read the text in quotes that begins at that place, and move past it.
	   Only control characters are written by their numbers. */
	static bool
	word(const std::string &text, std::size_t &at, std::string &out)
	{
		out.clear();
		for (at++; at < text.size() && text[at] != '"'; at++) {
			if (text[at] != '\\') {
				out += text[at];
				continue;
			}
			if (++at + 4 >= text.size())
				return false;
			switch (text[at]) {
			case 'n':	out += '\n'; break;
			case 't':	out += '\t'; break;
			case 'r':	out += '\r'; break;
			case 'b':	out += '\b'; break;
			case 'f':	out += '\f'; break;
			case 'u':
				out += static_cast<char>(std::strtoul(
				    text.substr(at + 1, 4).c_str(), nullptr,
				    16));
				at += 4;
				break;
			default:	out += text[at];
			}
		}
		return at++ < text.size();
	}

	static std::string
	quoted(const std::string &text)
	{
		static const char	digits[] = "0123456789abcdef";
		std::string		out = "\"";

		for (const char c : text) {
			const unsigned char	byte =
			    static_cast<unsigned char>(c);

			if (c == '"' || c == '\\')
				(out += '\\') += c;
			else if (byte < 0x20)
				((out += "\\u00") += digits[byte >> 4]) +=
				    digits[byte & 15];
			else
				out += c;
		}
		return out + "\"";
	}

	static std::string
	json(const StringMap &device)
	{
		std::string	text;

		for (const auto &row : device)
			text += (text.empty() ? "{" : ", ") +
			    quoted(row.first) + ": " + quoted(row.second);
		return text.empty() ? "{}" : text + "}";
	}

	/* Add an IPU that has an error, or that programs cannot reach. */
	static void
	add_fault(std::string &list, const StringMap &device)
	{
		const std::string	state = get(device, IpuErrorState);
		StringMap		fault;

		fault["error"] = state.compare(0, 8, "machine ") == 0 ||
		    state.compare(0, 10, "partition ") == 0 ? "connection" :
							      "device";
		fault["id"] = get(device, Id);
		fault["partition"] = get(device, IpuofPartitionId);
		fault["board ipu index"] = get(device, BoardIpuIndex);
		list += (list.empty() ? "" : ", ") + json(fault);
	}
};

#endif
