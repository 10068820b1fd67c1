/*
 * Reads the MNIST files: finds them by name, decompresses and checks.
 */
#include "ipu/nn/nn.h"

#include <bsd/string.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"

/* The training images are 47 MB. */
enum { FILE_LIMIT = 256 << 20 };

static const char where[] =
    "the files are at http://yann.lecun.com/exdb/mnist/ (see "
    "mnist-pipeline(1)); without them try --dataset generated";

static const struct {
	const char *images, *labels;
} dataset_names[] = {
	[DATASET_TRAIN] = { "train-images-idx3-ubyte",
	    "train-labels-idx1-ubyte" },
	[DATASET_TEST] = { "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte" },
};

/* Find the file under its four possible names. */
static int
dataset_find(const char *directory, const char *name, char *path, size_t size,
    struct error *e)
{
	static const char *const below[] = { "", "MNIST/raw/" };
	static const char *const suffixes[] = { "", ".gz" };
	size_t i, j;

	for (i = 0; i < 2; i++) {
		for (j = 0; j < 2; j++) {
			(void)snprintf(path, size, "%s/%s%s%s", directory,
			    below[i], name, suffixes[j]);
			if (access(path, F_OK) == 0)
				return 0;
		}
	}
	return error_set(e,
	    "no MNIST data: neither %s nor %s.gz in %s or %s/MNIST/raw; %s",
	    name, name, directory, directory, where);
}

/* Read the file's IDX data; the caller frees *bytes. */
static int
read_idx(struct idx *idx, uint8_t **bytes, const char *directory,
    const char *name, int dimensions, struct error *e)
{
	char path[PATH_MAX];
	char *file;
	size_t file_size, size;

	if (dataset_find(directory, name, path, sizeof(path), e) != 0)
		return -1;
	file = file_read(path, FILE_LIMIT, &file_size, e);
	if (file == NULL)
		return -1;
	*bytes = idx_unpack(path, (const uint8_t *)file, file_size, FILE_LIMIT,
	    &size, e);
	free(file);
	if (*bytes == NULL)
		return -1;
	if (idx_parse(idx, path, *bytes, size, dimensions, e) != 0) {
		free(*bytes);
		*bytes = NULL;
		return -1;
	}
	return 0;
}

/* Check that images have the model's size, labels its classes, and each image a
   label. */
static int
dataset_check(const struct idx *images, const struct idx *labels,
    const char *directory, enum dataset_part part,
    const struct dataset_form *form, struct error *e)
{
	size_t i;

	if (images->sizes[1] != (uint32_t)form->height ||
	    images->sizes[2] != (uint32_t)form->width)
		return error_set(e,
		    "%s/%s: its images are %u x %u, but must be %d x %d",
		    directory, dataset_names[part].images, images->sizes[1],
		    images->sizes[2], form->height, form->width);
	if (images->sizes[0] != labels->sizes[0])
		return error_set(e, "%s: %u images in %s, but %u labels in %s",
		    directory, images->sizes[0], dataset_names[part].images,
		    labels->sizes[0], dataset_names[part].labels);
	for (i = 0; i < labels->count; i++)
		if (labels->bytes[i] >= form->classes)
			return error_set(e,
			    "%s/%s: label %zu is %d, but must be at most %d",
			    directory, dataset_names[part].labels, i,
			    labels->bytes[i], form->classes - 1);
	return 0;
}

int
dataset_read(struct dataset *d, const char *directory, enum dataset_part part,
    const struct dataset_form *form, struct error *e)
{
	struct idx images, labels;
	uint8_t *image_bytes = NULL, *label_bytes = NULL;
	int status = -1;

	memset(d, 0, sizeof(*d));
	if (read_idx(&images, &image_bytes, directory,
		dataset_names[part].images, 3, e) != 0)
		goto out;
	if (read_idx(&labels, &label_bytes, directory,
		dataset_names[part].labels, 1, e) != 0)
		goto out;
	if (dataset_check(&images, &labels, directory, part, form, e) != 0)
		goto out;
	d->count = images.sizes[0];
	/* Drop the headers. */
	memmove(image_bytes, images.bytes, images.count);
	memmove(label_bytes, labels.bytes, labels.count);
	d->pixels = image_bytes;
	d->labels = label_bytes;
	status = 0;
out:
	if (status != 0) {
		free(image_bytes);
		free(label_bytes);
	}
	return status;
}

void
dataset_release(struct dataset *d)
{
	free(d->pixels);
	free(d->labels);
	memset(d, 0, sizeof(*d));
}
