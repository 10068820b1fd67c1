/*
 * An outline: a model that another program computes (PyTorch on the host), as
 * its operations in order, cut into stages, with the arithmetic and bytes of
 * each for a micro-batch.  Memory, cycles and profile follow as for our own
 * layers.  outline_file_parse() reads the JSON of ipubox-link(7).
 */
#ifndef IPU_ENGINE_OUTLINE_H
#define IPU_ENGINE_OUTLINE_H

#include "ipu/engine/engine_config.h"
#include "ipu/engine/trace.h"
#include "ipu/nn/layer_row.h"

/* Words of enum operation_class in its order, then NULL. */
extern const char *const operation_class_words[];

/* Return the class of an operation's ATen name: "aten::convolution", or with
   PyTorch's additions, "aten::add_.Tensor" for addition in place.
   OPERATION_UNKNOWN: an unknown name. */
enum operation_class operation_class_of(const char *name);

struct outline_parameter {
	const char *name;
	size_t elements, bytes;
	size_t gradient_bytes; /* 0: not trained */
	size_t state_bytes;    /* of each state of the optimiser */
};

struct outline_operation {
	const char *name;		  /* "layer1/fc1" */
	const char *op;			  /* "aten::linear" */
	int class;			  /* enum operation_class */
	double forward_flops;		  /* per micro-batch, like all below */
	double backward_flops;		  /* -1: no backward */
	size_t input_bytes, output_bytes; /* without parameters */
	size_t saved_bytes;		  /* kept for backward */
	size_t live_bytes;		  /* only while it computes */
	int parameter_count;
	struct outline_parameter *parameters;
};

struct outline_stage {
	int ipu;
	int block_count;
	const char **blocks;
	size_t received_bytes, sent_bytes; /* per micro-batch */
	int operation_count;
	struct outline_operation *operations;
};

/* A measured step of a call on the host. */
struct outline_step {
	enum trace_kind kind;
	struct step step; /* column -1: the schedule has it */
	int replica, iteration;
	double from_s, to_s; /* from the same start in all calls */
};

/* One or more measured calls. */
struct outline_call {
	long count; /* number of calls that it stands for */
	double input_s, run_s, output_s; /* sums over them */
	int step_count;			 /* 0 if count is not 1 */
	struct outline_step *steps;
};

struct outline {
	void *document;	  /* owned; has all texts */
	const char *name; /* name of the profile's directory */
	const char *model, *program, *command, *device;
	const char *interrupted; /* why the run ended early, or NULL */
	int instance;
	struct engine_config config; /* .outline: this one, so never move it */
	double clock_mhz;
	size_t ipu_bytes;      /* 0: the chip's */
	const char *optimiser; /* NULL: not given */
	int states;	       /* of the optimiser, per parameter */
	bool weights_off_chip, activations_off_chip, accumulators_off_chip;
	/* By IPU: share of its memory for a product's operands; 0: not
	   given. */
	double proportions[SCHEDULE_IPUS_MAX];
	size_t host_in_bytes, labels_bytes, host_out_bytes;
	int stage_count;
	struct outline_stage *stages;
	bool has_host;		 /* measured: the members below are set */
	const char *computed_by; /* "PyTorch", or "" */
	double compile_s;
	int call_count, activity_count;
	struct outline_call *calls;
	struct host_activity *activities;
};

/* Free everything, including the document.  An all-zero outline is fine. */
void outline_release(struct outline *);

/* Return the number of elements of all parameters. */
size_t outline_parameters(const struct outline *);
/* Return the bytes of an operation's parameters. */
size_t outline_operation_weights(const struct outline_operation *);

#endif
