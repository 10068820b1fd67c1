/*
 * IDX files: what is read and what is refused, plain and compressed, and the
 * data set that is made of four of them.
 */
#include "tests/unit/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "core/base/alloc.h"
#include "ipu/nn/nn.h"

enum { IMAGE = DATASET_SIDE * DATASET_SIDE, COUNT = 3 };

static const struct {
	const char *name;
	size_t size;
	uint8_t file[12];
	const char *reason; /* NULL: good */
} cases[] = {
	{ "good", 11, { 0, 0, 8, 1, 0, 0, 0, 3, 7, 8, 9 }, NULL },
	{ "no header", 5, { 0, 0, 8, 1, 0 },
	    "f: truncated: it has 5 bytes, but the header alone needs 8" },
	{ "empty", 0, { 0 },
	    "f: truncated: it has 0 bytes, but the header alone needs 8" },
	{ "other type", 11, { 0, 0, 13, 1, 0, 0, 0, 3, 7, 8, 9 },
	    "f: not an IDX file of unsigned bytes in 1 dimension: its magic "
	    "number is 00000d01, but must be 00000801" },
	{ "other dimensions", 11, { 0, 0, 8, 3, 0, 0, 0, 3, 7, 8, 9 },
	    "f: not an IDX file of unsigned bytes in 1 dimension: its magic "
	    "number is 00000803, but must be 00000801" },
	{ "short", 10, { 0, 0, 8, 1, 0, 0, 0, 3, 7, 8 },
	    "f: truncated: it has 2 bytes of data, but the header says 3" },
	{ "long", 12, { 0, 0, 8, 1, 0, 0, 0, 3, 7, 8, 9, 9 },
	    "f: 1 bytes follow the end of the data" },
	{ "nothing", 8, { 0, 0, 8, 1, 0, 0, 0, 0 }, "f: dimension 0 is 0" },
	{ "huge", 8, { 0, 0, 8, 1, 255, 255, 255, 255 },
	    "f: truncated: it has 0 bytes of data, but the header says "
	    "4294967295" },
};

static void
test_parse(void)
{
	static const uint8_t huge[20] = { 0, 0, 8, 4, 255, 255, 255, 255, 255,
		255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255 };
	struct idx idx;
	struct error e;
	size_t i;
	int status;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		e.text[0] = '\0';
		status = idx_parse(&idx, "f", cases[i].file, cases[i].size, 1,
		    &e);
		is_int(status, cases[i].reason == NULL ? 0 : -1, cases[i].name);
		if (cases[i].reason != NULL)
			is_str(e.text, cases[i].reason, cases[i].name);
	}
	is_int(idx_parse(&idx, "f", huge, sizeof(huge), 4, &e), -1, "overflow");
	is_str(e.text, "f: its sizes are too large for any memory", "overflow");
	(void)idx_parse(&idx, "f", cases[0].file, cases[0].size, 1, &e);
	is_int(idx.bytes[2], 9, "the last byte");
	is_int((long long)idx.count, 3, "how many");
}

static size_t
compress_as_gzip(const uint8_t *from, size_t size, uint8_t *to, size_t room)
{
	z_stream z = { 0 };

	(void)deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
	z.next_in = (Bytef *)(uintptr_t)from;
	z.avail_in = (uInt)size;
	z.next_out = to;
	z.avail_out = (uInt)room;
	(void)deflate(&z, Z_FINISH);
	(void)deflateEnd(&z);
	return z.total_out;
}

static void
check_refused(const uint8_t *file, size_t size, size_t limit,
    const char *reason)
{
	struct error e = { .text = "" };
	size_t unpacked;
	uint8_t *result = idx_unpack("f", file, size, limit, &unpacked, &e);

	ok(result == NULL, reason);
	is_str(e.text, reason, "the reason");
	free(result);
}

static void
test_unpack(void)
{
	enum { SIZE = 5000, LIMIT = 10000 };
	uint8_t *plain = xcalloc(1, SIZE), packed[6000], *result;
	struct error e = { .text = "" };
	size_t size, packed_size, i;

	for (i = 0; i < SIZE; i++)
		plain[i] = (uint8_t)(i * i >> 8);
	packed_size = compress_as_gzip(plain, SIZE, packed, sizeof(packed) - 1);
	result = idx_unpack("f", packed, packed_size, LIMIT, &size, &e);
	is_int((long long)size, SIZE, "unpacked size");
	ok(result != NULL && memcmp(result, plain, SIZE) == 0, "unpacked");
	free(result);
	result = idx_unpack("f", packed, packed_size, SIZE, &size, &e);
	ok(result != NULL, "just within the limit");
	free(result);
	result = idx_unpack("f", plain, SIZE, LIMIT, &size, &e);
	ok(result != NULL && memcmp(result, plain, SIZE) == 0, "plain");
	free(result);
	check_refused(plain, SIZE, SIZE - 1, "f: more than 4999 bytes");
	check_refused(packed, packed_size, SIZE - 1, "f: more than 4999 bytes");
	check_refused(packed, packed_size - 1, LIMIT,
	    "f: truncated: the compressed data end early");
	check_refused(packed, 5, LIMIT,
	    "f: truncated: the compressed data end early");
	packed[packed_size] = 0;
	check_refused(packed, packed_size + 1, LIMIT,
	    "f: 1 bytes after the end of the compressed data");
	packed[packed_size - 8] ^= 1;
	check_refused(packed, packed_size, LIMIT,
	    "f: damaged: incorrect data check");
	free(plain);
}

static void
write_file(const char *path, const uint8_t *bytes, size_t size)
{
	FILE *f = fopen(path, "w");

	if (f == NULL || fwrite(bytes, 1, size, f) != size || fclose(f) != 0)
		abort();
}

/* COUNT images of 28 x 28, and their labels; `label` is the last one. */
static void
write_images(const char *path, uint8_t count, uint8_t side)
{
	uint8_t *file = xcalloc(1, 16 + COUNT * IMAGE);
	const uint8_t header[16] = { 0, 0, 8, 3, 0, 0, 0, count, 0, 0, 0, side,
		0, 0, 0, side };

	memcpy(file, header, sizeof(header));
	file[16 + IMAGE] = 77;
	write_file(path, file, 16 + (size_t)count * side * side);
	free(file);
}

static void
write_labels(const char *path, uint8_t label)
{
	const uint8_t file[8 + COUNT] = { 0, 0, 8, 1, 0, 0, 0, COUNT, 4, 9,
		label };

	write_file(path, file, sizeof(file));
}

static void
check_set(const char *reason)
{
	struct dataset d;
	struct error e = { .text = "" };
	static const struct dataset_form form = { DATASET_SIDE, DATASET_SIDE,
		DATASET_CLASSES };
	int status = dataset_read(&d, "set", DATASET_TRAIN, &form, &e);

	is_int(status, reason == NULL ? 0 : -1, "a data set");
	is_str(e.text, reason == NULL ? "" : reason, "and its reason");
	if (status == 0) {
		is_int(d.count, COUNT, "its size");
		is_int(d.pixels[IMAGE], 77, "a pixel");
		is_int(d.labels[1], 9, "a label");
	}
	dataset_release(&d);
}

static void
test_dataset(void)
{
	char directory[] = "idx_test.XXXXXX";

	if (mkdtemp(directory) == NULL || chdir(directory) == -1 ||
	    mkdir("set", 0700) == -1)
		abort();
	check_set("no MNIST data: neither train-images-idx3-ubyte nor "
		  "train-images-idx3-ubyte.gz in set or set/MNIST/raw; the "
		  "files are at http://yann.lecun.com/exdb/mnist/ (see "
		  "mnist-pipeline(1)); without them try --dataset generated");
	write_images("set/train-images-idx3-ubyte", COUNT, DATASET_SIDE);
	write_labels("set/train-labels-idx1-ubyte", 0);
	check_set(NULL);
	write_labels("set/train-labels-idx1-ubyte", 10);
	check_set("set/train-labels-idx1-ubyte: label 2 is 10, but must be at "
		  "most 9");
	write_labels("set/train-labels-idx1-ubyte", 0);
	write_images("set/train-images-idx3-ubyte", COUNT - 1, DATASET_SIDE);
	check_set("set: 2 images in train-images-idx3-ubyte, but 3 labels in "
		  "train-labels-idx1-ubyte");
	write_images("set/train-images-idx3-ubyte", COUNT, DATASET_SIDE - 1);
	check_set("set/train-images-idx3-ubyte: its images are 27 x 27, but "
		  "must be 28 x 28");
	(void)unlink("set/train-images-idx3-ubyte");
	if (mkdir("set/MNIST", 0700) == -1 ||
	    mkdir("set/MNIST/raw", 0700) == -1)
		abort();
	write_images("set/MNIST/raw/train-images-idx3-ubyte", COUNT,
	    DATASET_SIDE);
	check_set(NULL);
	(void)unlink("set/MNIST/raw/train-images-idx3-ubyte");
	(void)unlink("set/train-labels-idx1-ubyte");
	(void)rmdir("set/MNIST/raw");
	(void)rmdir("set/MNIST");
	(void)rmdir("set");
	(void)chdir("..");
	(void)rmdir(directory);
}

static void
test_drawn(void)
{
	struct dataset a, b, test;
	int i, seen[DATASET_CLASSES] = { 0 }, classes = 0;
	long ink = 0;

	digits_draw(&a, DATASET_TRAIN, 500, 1);
	digits_draw(&b, DATASET_TRAIN, 200, 1);
	digits_draw(&test, DATASET_TEST, 200, 1);
	ok(memcmp(a.pixels, b.pixels, 200 * IMAGE) == 0,
	    "drawn digits: a function of the seed");
	ok(memcmp(a.pixels, test.pixels, 200 * IMAGE) != 0,
	    "others for the test");
	for (i = 0; i < 500; i++)
		seen[a.labels[i]]++;
	for (i = 0; i < DATASET_CLASSES; i++)
		classes += seen[i] > 20;
	is_int(classes, DATASET_CLASSES, "all classes");
	for (i = 0; i < 500 * IMAGE; i++)
		ink += a.pixels[i];
	ok(ink / (500 * IMAGE) > 15 && ink / (500 * IMAGE) < 90,
	    "about as much ink as MNIST (33)");
	dataset_release(&a);
	dataset_release(&b);
	dataset_release(&test);
}

int
main(void)
{
	test_parse();
	test_unpack();
	test_dataset();
	test_drawn();
	return tap_done();
}
