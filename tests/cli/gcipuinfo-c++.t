#needs c++
gcipuinfo for C++: nothing has to be linked.

  $ ipubox --install-sdk sdk > /dev/null; eval "$(ipubox sdk-env sdk)"
  $ cat > monitor.cpp <<'X'
  > #include <gcipuinfo/gcipuinfo.h>
  > #include <iostream>
  > int main()
  > {
  > 	gcipuinfo info(DiscoverAllPartitionIPUs);
  > 	info.setUpdateMode(true);
  > 	for (const auto &value : info.getNamedAttributeForAll(IpuofHost))
  > 		std::cout << value << "\n";
  > 	for (auto &device : info.getDevices())
  > 		std::cout << device[Id] << device[IpuofPartitionId] << " ";
  > 	std::cout << info.getNamedAttributeForDevice(2, Clock) << "\n"
  > 	    << info.checkHealthOfDevices() << "\n"
  > 	    << info.getLastAppEventRecordAsJSON("/tmp") << "\n"
  > 	    << info.getDevicesAsJSON() << "\n";
  > 	return info.updateData() ? 0 : 1;
  > }
  > X
  $ c++ -std=c++11 -Wall -Wextra -pedantic -Werror monitor.cpp -o monitor
  $ vipu create partition p --size 2
  create partition (p): success
  $ ./monitor | head -4
  10.1.5.1
  10.1.5.1
  0p 1p N/A
  {}
  $ ./monitor | sed -n '5p;6p' | cut -c 1-24
  {}
  [{"average board temp": 
  $ cat > compare.py <<'X'
  > import json, sys
  > listed = json.loads(sys.argv[1])
  > tool = [device for device in json.loads(sys.argv[2])["devices"]
  >         if device["target"] != "Multi IPU"]
  > print(listed == tool)
  > X
  $ python3 compare.py "$(./monitor | sed -n 6p)" "$(gc-inventory -j)"
  True
  $ vipu-admin inject ag01 down
  inject agent (ag01): success.
  $ ./monitor | sed -n 4p
  {"hosts": {"10.1.5.1": [{"board ipu index": "3", "error": "connection", "id": "0", "partition": "p"}, {"board ipu index": "2", "error": "connection", "id": "1", "partition": "p"}]}}
  $ (export IPUBOX_FILE=/nonexistent; ./monitor)
  N/A
  {"error": "gc-inventory failed"}
  {}
  []
  [1]
