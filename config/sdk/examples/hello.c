// The instances of a job add up their numbers, then end together.
//
//	cc hello.c "$IPUBOX_SDK"/lib/*.c -I "$IPUBOX_SDK"/include -o hello
//	poprun --num-instances 4 --num-replicas 4 ./hello
#include <popdist.h>
#include <stdio.h>

int
main(void)
{
	int	index = popdist_instance_index(), sum = index + 1;

	if (popdist_initialize_backend() == -1 ||
	    popdist_all_reduce_sum(&sum, 1, POPDIST_INT32, NULL,
	    "numbers") == -1 || popdist_synchronize(NULL, NULL) == -1) {
		fprintf(stderr, "hello: %s\n", popdist_error_text());
		return 1;
	}
	printf("instance %d of %d: the sum is %d\n", index,
	    popdist_num_instances(), sum);
	return popdist_finalize_backend() == -1;
}
