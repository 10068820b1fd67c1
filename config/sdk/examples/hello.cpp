// The instances of a job add up their numbers, then end together.
//
//	c++ hello.cpp "$IPUBOX_SDK"/lib/*.c -I "$IPUBOX_SDK"/include -o hello
//	poprun --num-instances 4 --num-replicas 4 ./hello
#include <popdist/backend.hpp>
#include <popdist/collectives.hpp>
#include <popdist/context.hpp>

#include <iostream>

int
main()
{
	int	sum = popdist::getInstanceIndex() + 1;

	popdist::initializeBackend();
	popdist::collectives::allReduceSum(&sum, 1, poplar::INT, "numbers");
	popdist::synchronize();
	std::cout << "instance " << popdist::getInstanceIndex() << " of "
	    << popdist::getNumInstances() << ": the sum is " << sum << "\n";
	popdist::finalizeBackend();
}
