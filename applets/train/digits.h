/*
 * Digits for programs of the SDK: ipubox __digits, see ipubox-link(7).
 */
#ifndef APPLETS_TRAIN_DIGITS_H
#define APPLETS_TRAIN_DIGITS_H

#include "core/base/error.h"

#define DIGITS_WORD	"__digits"

/*
 * Prints the labels and then the pixels of generated digits, a byte each.  argv
 * is DIGITS_WORD, train or test, their number, and the seed.  -1: the arguments
 * are wrong.
 */
int	train_digits(int argc, char **argv, struct error *);

#endif
