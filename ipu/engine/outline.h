/*
 * An outline: a model that another program computes, as PyTorch does on the
 * host, told as its operations in order, cut into stages, with the arithmetic
 * and the bytes that each takes for a micro-batch.  Memory, modelled cycles and
 * the profile follow from it by the rules for our own layers.
 * outline_file_parse() reads one from the JSON of ipubox-link(7).
 */
#ifndef IPU_ENGINE_OUTLINE_H
#define IPU_ENGINE_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "ipu/engine/engine_config.h"
#include "ipu/engine/trace.h"

/* Kinds of operations by what they ask of a chip; model/operation_cost.c has
   the costs of each, for our own layers and for an outline's operations. */
enum operation_class {
	OPERATION_CONVOLUTION,
	OPERATION_MATMUL,
	OPERATION_ELEMENTWISE,
	OPERATION_REDUCTION, /* pools as well: each window is reduced */
	OPERATION_COPY,	     /* elements move, none changes */
	OPERATION_VIEW,	     /* another shape of the same bytes */
	OPERATION_NORMALISATION,
	OPERATION_LOSS,
	OPERATION_RANDOM,
	OPERATION_UNKNOWN, /* costed as elementwise, and told */
	OPERATION_CLASSES
};

/* "convolution" ... "unknown", in the order of the enum, then NULL. */
extern const char *const operation_class_words[];

/*
 * The class of an operation as ATen names it: "aten::convolution", and with
 * what PyTorch puts around a name, "aten::add_.Tensor" for addition in place.
 * OPERATION_UNKNOWN: no such name is known here.
 */
enum operation_class operation_class_of(const char *name);

struct outline_parameter {
	const char *name;
	size_t elements, bytes;
	size_t gradient_bytes; /* 0: it is not trained */
	size_t state_bytes;    /* of each of the states */
};

struct outline_operation {
	const char *name; /* "layer1/fc1" */
	const char *op;	  /* "aten::linear" */
	int class;	  /* enum operation_class */
	double forward_flops;
	double backward_flops;		  /* -1: no backward */
	size_t input_bytes, output_bytes; /* no parameters */
	size_t saved_bytes;		  /* kept for backward */
	size_t live_bytes;		  /* only while it computes */
	int parameter_count;
	struct outline_parameter *parameters;
};

struct outline_stage {
	int ipu;
	int block_count;
	const char **blocks;
	size_t received_bytes, sent_bytes; /* ends */
	int operation_count;
	struct outline_operation *operations;
};

/* What a call did on the host, measured, in seconds. */
struct outline_step {
	enum trace_kind kind;
	struct step step;
	int replica, iteration;
	double from_s, to_s; /* since any beginning */
};

struct outline_call {
	long count;			 /* calls that this stands for */
	double input_s, run_s, output_s; /* together */
	int step_count;
	struct outline_step *steps;
};

struct outline {
	void *document;	  /* owned; has all texts */
	const char *name; /* of the profile's directory */
	const char *model, *program, *command, *device;
	int instance;
	struct engine_config config; /* .outline is this one */
	double clock_mhz;
	size_t ipu_bytes;      /* 0: as the chip is */
	const char *optimiser; /* NULL: not said */
	int states;	       /* of each parameter */
	bool weights_off_chip, activations_off_chip, accumulators_off_chip;
	/* Of an IPU's memory, for the operands of a product; 0: not said. */
	double proportions[SCHEDULE_IPUS_MAX];
	size_t host_in_bytes, labels_bytes, host_out_bytes;
	int stage_count;
	struct outline_stage *stages;
	bool has_host; /* what follows was given */
	double compile_s;
	int call_count, activity_count;
	struct outline_call *calls;
	struct host_activity *activities;
};

/* Free all of it, the document too; one that is all zeroes is fine. */
void outline_release(struct outline *);

/* Count the elements of all parameters, and the bytes of an operation's. */
size_t outline_parameters(const struct outline *);
size_t outline_operation_weights(const struct outline_operation *);

#endif
