/*
 * A small framework for neural networks: layers and models as data, stages that
 * compute them on a host's processor with PyTorch's results, the loss,
 * optimisers, data sets, random numbers and check-points.
 *
 * Read first: model.h (a model and its parameters), stage.h (computing on an
 * IPU), then kernels/kernels.h (the arithmetic).
 */
#ifndef IPU_NN_NN_H
#define IPU_NN_NN_H

#include "ipu/nn/loss.h"
#include "ipu/nn/stage.h"
#include "ipu/nn/stage_plan.h"

/*
 * Weight updates as in torch.optim: SGD with momentum (Sutskever et al. 2013,
 * in PyTorch's form), Adam (Kingma and Ba 2015) and AdamW (Loshchilov and
 * Hutter 2019), with bias correction, and RMSprop (Graves 2013).  Compiled
 * without contraction, so that every machine gets the same bits from the same
 * gradients.
 */

enum { OPTIMISER_STATES_MAX = 3 };

enum optimiser_kind {
	OPTIMISER_SGD,
	OPTIMISER_ADAM,
	OPTIMISER_ADAMW,
	OPTIMISER_RMSPROP
};

/* "sgd", "adam", "adamw", "rmsprop", NULL. */
extern const char *const optimiser_words[];

struct optimiser {
	enum optimiser_kind kind;
	double learning_rate;
	double momentum;     /* SGD, RMSprop; 0: none */
	double beta1, beta2; /* Adam, AdamW */
	double epsilon;	     /* all but SGD */
	/* Added to the gradient; AdamW: shrinks the weight. */
	double weight_decay;
	double dampening;  /* SGD: part of the gradient kept out of the
			     velocity */
	bool nesterov;	   /* SGD */
	double alpha;	   /* RMSprop: weight of the old mean square */
	bool centered;	   /* RMSprop: divide by the deviation */
	bool has_velocity; /* SGD, RMSprop: even if the momentum is 0 now */
};

/* Return PyTorch's defaults for that kind. */
struct optimiser optimiser_defaults(enum optimiser_kind, double learning_rate);

/* Return the floats of state per parameter: Adam and AdamW have 2, SGD with a
   momentum 1, RMSprop 1 and one more each with a momentum and with
   `centered`. */
int optimiser_states(const struct optimiser *);

/* Make update number `step` (1, 2, ...) of `count` parameters, with the
   gradients multiplied by `scale`.  state[i], for each i below
   optimiser_states(), has `count` floats, all zero before the first update. */
void optimiser_update(const struct optimiser *, long step, size_t count,
    float scale, const float *gradients, float *parameters,
    float *const state[OPTIMISER_STATES_MAX]);

/* Check-points: weights, optimiser state and position in one file
   (checkpoint.c).  A resumed run gets the result of an uninterrupted one. */

/* Everything that a run's result depends on. */
struct checkpoint_run {
	const struct model *model;
	struct loss loss;
	struct optimiser optimiser;
	uint64_t seed;
	/* Order of the data. */
	bool generated;	       /* images were drawn, not read */
	uint32_t samples;      /* of the training set */
	float mean, deviation; /* of pixels scaled to 0 to 1 */
	int micro_batch;
	int gradient_accumulation;
	int device_iterations;
	int replicas; /* within the job */
};

/* The progress of a run. */
struct checkpoint {
	int epochs;			    /* number completed */
	long updates;			    /* number of updates made */
	float *parameters;		    /* one per parameter of the model */
	float *state[OPTIMISER_STATES_MAX]; /* NULL: unused */
};

/* Write the file.  -1: an old file stays whole, or with ERROR_UNCONFIRMED the
   new one is there. */
int checkpoint_save(const struct checkpoint *, const struct checkpoint_run *,
    const char *path, struct error *);

/*
 * Call checkpoint_init() on *checkpoint, then read the file into it.  Refuses,
 * with its name: one that is unreadable, damaged, cut off or of another format,
 * a number of updates that the run never has after so many epochs, or the first
 * line that differs from the run (layers or shapes, optimiser, seed, data).
 * Even then the caller frees *checkpoint with checkpoint_release().
 */
int checkpoint_load(struct checkpoint *, const struct checkpoint_run *,
    const char *path, struct error *);

/* Allocate the run's arrays, all zero. */
void checkpoint_init(struct checkpoint *, const struct checkpoint_run *);
void checkpoint_release(struct checkpoint *);

/* Labelled images of one size: the MNIST files, or digits drawn here. */
enum { DATASET_SIDE = 28, DATASET_CLASSES = 10 };

/* The form of a model's input: images of one channel. */
struct dataset_form {
	int height, width;
	int classes;
};

enum dataset_part { DATASET_TRAIN, DATASET_TEST };

struct dataset {
	uint32_t count;
	uint8_t *pixels; /* count x height x width, 0 to 255 */
	uint8_t *labels; /* count, from 0 */
};

/*
 * Read train-images-idx3-ubyte and train-labels-idx1-ubyte (or t10k-...) from
 * the directory or its MNIST/raw, each plain or as .gz.  Refuses, with the
 * file's name: missing or damaged files, images of another size, a label that
 * is not a valid class, different numbers of images and labels.  -1: nothing to
 * free.
 */
int dataset_read(struct dataset *, const char *directory, enum dataset_part,
    const struct dataset_form *, struct error *);

void dataset_release(struct dataset *); /* also of a drawn set */

enum { DIGITS_MAX = 1000000 }; /* limit of `count`, which callers check */

/* Draw `count` digits, a function of seed and part.  The parts have no image in
   common.  The caller frees the set with dataset_release(). */
void digits_draw(struct dataset *, enum dataset_part, uint32_t count,
    uint64_t seed);

/* IDX, the format of the MNIST files (idx.c). */
enum { IDX_DIMENSIONS_MAX = 4 };

struct idx {
	int dimensions;
	uint32_t sizes[IDX_DIMENSIONS_MAX];
	const uint8_t *bytes; /* the data, in the parsed file */
	size_t count;	      /* of bytes: the product of the sizes */
};

/* Parse an uncompressed file; `bytes` points into it.  Refuses, with the name:
   another magic or number of dimensions, a size of 0, a file that is too short
   or too long. */
int idx_parse(struct idx *, const char *name, const uint8_t *file, size_t size,
    int dimensions, struct error *);

/* Return the file's bytes, decompressed if they begin as gzip; the caller frees
   them.  NULL, with the name: damaged data, more than one gzip member, or more
   than `limit` bytes. */
uint8_t *idx_unpack(const char *name, const uint8_t *file, size_t file_size,
    size_t limit, size_t *size, struct error *);

/* A seeded generator (splitmix64), equal on all machines.  Not for secrets. */
struct rng {
	uint64_t state;
};

/* Begin; `stream` separates generators of one seed (epochs, layers). */
void rng_init(struct rng *, uint64_t seed, uint64_t stream);
/* Return a uniform number of 0 .. n-1; n > 0. */
uint32_t rng_below(struct rng *, uint32_t n);
/* Return a uniform number of [low, high). */
float rng_uniform(struct rng *, float low, float high);
/* Return a nearly normal number, mean 0, deviation 1. */
float rng_normal(struct rng *);
/* Shuffle the array (Fisher-Yates). */
void rng_shuffle(struct rng *, uint32_t *, size_t count);

/* PyTorch's random numbers, to the bit (torch_rng.c). */
enum { TORCH_RNG_WORDS = 624 };

struct torch_rng {
	uint32_t state[TORCH_RNG_WORDS];
	int used; /* words used of the state */
};

/* Begin as torch.manual_seed(seed) does. */
void torch_rng_init(struct torch_rng *, uint64_t seed);
/* Return the next number, of 32 bits. */
uint32_t torch_rng_next(struct torch_rng *);
/* Skip `count` numbers. */
void torch_rng_skip(struct torch_rng *, uint64_t count);
/* Return Tensor.random_() of one int64: 0 to 2^63 - 1. */
uint64_t torch_rng_int64(struct torch_rng *);
/* Return Tensor.uniform_(low, high) of one float. */
float torch_rng_uniform(struct torch_rng *, float low, float high);
/* Fill in torch.randperm(count): 0 .. count - 1 in a random order. */
void torch_rng_permutation(struct torch_rng *, uint32_t *, uint32_t count);

/* Fill in the order of samples in epoch `epoch` (1, 2, ...) of a DataLoader
   with shuffle=True, which takes two int64 of the generator per epoch.  The
   generator must stand where epoch 1 begins, in each call; it is advanced. */
void torch_rng_shuffle(struct torch_rng *, int epoch, uint32_t *,
    uint32_t count);

#endif
