/*
 * An outline: what the device is told of a model that somebody else computes,
 * as PyTorch does on the host.  Operations in the order in which they run, cut
 * into stages, each with its arithmetic and its bytes.  From it come memory,
 * modelled cycles and the profile, by the rules that hold for our own layers.
 *
 * outline_file.h reads one from JSON; ipubox-link(7) describes the document.
 * Bytes and flop are those of one micro-batch.
 */
#ifndef IPU_ENGINE_OUTLINE_H
#define IPU_ENGINE_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "ipu/engine/engine_config.h"
#include "ipu/engine/host_activity.h"
#include "ipu/engine/operation.h"
#include "ipu/engine/trace.h"

struct outline_parameter {
	const char	*name;
	size_t		 elements;
	size_t		 bytes;
	size_t		 gradient_bytes;	/* 0: it is not trained */
	size_t		 state_bytes;		/* of each of the states */
};

struct outline_operation {
	const char		*name;		/* "layer1/fc1" */
	const char		*op;		/* "aten::linear" */
	int			 class;		/* enum operation_class */
	double			 forward_flops;
	double			 backward_flops;	/* below 0: it has no
							   backward */
	size_t			 input_bytes;	/* without parameters */
	size_t			 output_bytes;
	size_t			 saved_bytes;	/* kept for backward */
	size_t			 live_bytes;	/* while it computes, besides
						   what is counted elsewhere */
	int			 parameter_count;
	struct outline_parameter *parameters;
};

struct outline_stage {
	int			  ipu;
	int			  block_count;
	const char		**blocks;
	size_t			  received_bytes;	/* its input */
	size_t			  sent_bytes;		/* its output */
	int			  operation_count;
	struct outline_operation *operations;
};

/* What a call did on the host, measured, in seconds. */
struct outline_step {
	enum trace_kind	kind;
	struct step	step;
	int		replica, iteration;
	double		from_s, to_s;	/* since any beginning */
};

struct outline_call {
	long			 count;		/* calls that this stands for */
	double			 input_s, run_s, output_s;	/* together */
	int			 step_count;
	struct outline_step	*steps;
};

/* The texts are the document's, which the outline keeps. */
struct outline {
	void			*document;
	const char		*name;		/* of the profile's directory */
	const char		*model, *program, *command, *device;
	int			 instance;
	struct engine_config	 config;	/* .outline is this one */
	double			 clock_mhz;
	size_t			 ipu_bytes;	/* 0: as the chip is */
	const char		*optimiser;	/* NULL: not said */
	int			 states;	/* of each parameter */
	bool			 weights_off_chip, activations_off_chip;
	bool			 accumulators_off_chip;
	/* Of an IPU's memory, for the operands of a product; 0: not said. */
	double			 proportions[SCHEDULE_IPUS_MAX];
	size_t			 host_in_bytes, labels_bytes, host_out_bytes;
	int			 stage_count;
	struct outline_stage	*stages;
	bool			 has_host;	/* what follows was given */
	double			 compile_s;
	int			 call_count;
	struct outline_call	*calls;
	int			 activity_count;
	struct host_activity	*activities;
};

/* Free all of it, the document too; one that is all zeroes is fine. */
void	outline_release(struct outline *);

/* Elements of all parameters of a stage, and of the model. */
size_t	outline_stage_parameters(const struct outline_stage *);
size_t	outline_parameters(const struct outline *);

/* Bytes of all parameters of an operation. */
size_t	outline_operation_weights(const struct outline_operation *);

#endif
