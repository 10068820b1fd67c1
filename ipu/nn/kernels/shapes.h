/*
 * The shapes that kernels work on: of a sample, and for linear layers, which
 * take all of them at once, the number of blocks of lanes.
 */
#ifndef IPU_NN_KERNELS_SHAPES_H
#define IPU_NN_KERNELS_SHAPES_H

struct conv_shape {
	int	in_channels;
	int	out_channels;
	int	in_height;
	int	in_width;
	int	kernel;			/* square */
	int	out_height;
	int	out_width;
	int	stride;
	int	padding;		/* zeroes, on each side */
};

struct pool_shape {
	int	channels;
	int	in_height;
	int	in_width;
	int	kernel;			/* square, at most POOL_KERNEL_MAX */
	int	out_height;
	int	out_width;
	int	stride;
	int	padding;		/* at most half the kernel */
};

struct linear_shape {
	int	in;
	int	out;
	int	blocks;
};

#endif
