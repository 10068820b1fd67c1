/*
 * Kinds of operations by what they ask of a chip, and which kind one is that a
 * framework names.  Our own layers and the operations of an outline are costed
 * by the same kinds: ipu/engine/model/operation_cost.h has their table.
 */
#ifndef IPU_ENGINE_OPERATION_H
#define IPU_ENGINE_OPERATION_H

enum operation_class {
	OPERATION_CONVOLUTION,
	OPERATION_MATMUL,
	OPERATION_ELEMENTWISE,
	OPERATION_REDUCTION,	/* pools as well: each window is reduced */
	OPERATION_COPY,		/* elements move, none changes */
	OPERATION_VIEW,		/* the same bytes under another shape: nothing
				   is done */
	OPERATION_NORMALISATION,
	OPERATION_LOSS,
	OPERATION_RANDOM,
	OPERATION_UNKNOWN,	/* costed as elementwise, and told */
	OPERATION_CLASSES
};

/* "convolution" ... "unknown", in the order of the enum, then NULL. */
extern const char *const	operation_class_words[];

/*
 * The class of an operation as ATen names it: "aten::convolution", and with
 * what PyTorch puts around a name, "aten::add_.Tensor" for addition in place.
 * OPERATION_UNKNOWN: no such name is known here.
 */
enum operation_class	operation_class_of(const char *name);

#endif
