/*
 * Sorting by a field.
 */
#include "applets/ipubox-job/get_sort.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "applets/ipubox-job/jsonpath_walk.h"
#include "core/base/alloc.h"
#include "core/ipujob/quantity.h"

/* An object with what it is sorted by. */
struct sorted {
	struct resource_found		 found;
	const struct yaml_node	*value;		/* NULL: it has none */
	size_t			 place;		/* where it was */
};

int
get_sort_compare_texts(const char *a, const char *b)
{
	size_t	length_a, length_b;
	int	order;

	while (*a != '\0' && *b != '\0') {
		if (!isdigit((unsigned char)*a) ||
		    !isdigit((unsigned char)*b)) {
			if (*a != *b)
				break;
			a++;
			b++;
			continue;
		}
		a += strspn(a, "0");
		b += strspn(b, "0");
		length_a = strspn(a, "0123456789");
		length_b = strspn(b, "0123456789");
		if (length_a != length_b)
			return length_a < length_b ? -1 : 1;
		order = strncmp(a, b, length_a);
		if (order != 0)
			return order;
		a += length_a;
		b += length_b;
	}
	return (unsigned char)*a - (unsigned char)*b;
}

static bool
get_sort_is_number(const struct yaml_node *n)
{
	return n->kind == YAML_INTEGER || n->kind == YAML_REAL ||
	    n->kind == YAML_BOOL;
}

static int
compare_nodes(const struct yaml_node *a, const struct yaml_node *b)
{
	int64_t	x, y;
	double	r, s;

	if (get_sort_is_number(a) && get_sort_is_number(b)) {
		r = a->kind == YAML_BOOL ? (double)a->integer : a->real;
		s = b->kind == YAML_BOOL ? (double)b->integer : b->real;
		return (r > s) - (r < s);
	}
	if (a->text == NULL || b->text == NULL)
		return (a->text != NULL) - (b->text != NULL);
	if (quantity_parse(a->text, &x, NULL) == 0 &&
	    quantity_parse(b->text, &y, NULL) == 0)
		return (x > y) - (x < y);
	return get_sort_compare_texts(a->text, b->text);
}

/* qsort(3); the types stay as they were asked for. */
static int
compare_sorted(const void *va, const void *vb)
{
	const struct sorted	*a = va, *b = vb;
	int			 order = 0;

	if (a->value == NULL || b->value == NULL)
		order = (a->value != NULL) - (b->value != NULL);
	else
		order = compare_nodes(a->value, b->value);
	return order != 0 ? order : a->place < b->place ? -1 : 1;
}

/* The first value that the path finds in each. */
static int
find_values(const struct jsonpath *path, const struct founds *f,
    struct sorted *all, size_t *with, struct error *e)
{
	struct jsonpath_found	found;
	size_t			i;
	int			status = 0;

	for (i = 0; i < f->count && status == 0; i++) {
		status = jsonpath_walk_find(path, f->items[i].object, &found,
		    e);
		all[i] = (struct sorted){ .found = f->items[i], .place = i,
		    .value = found.count > 0 ? found.items[0] : NULL };
		*with += found.count > 0;
		jsonpath_walk_release(&found);
	}
	return status;
}

int
get_sort_founds(const char *path, struct founds *f, struct error *e)
{
	struct jsonpath	 p = { .arena = NULL };
	struct sorted	*all = xcalloc(f->count + 1, sizeof(*all));
	char		*complete = jsonpath_complete(path, e);
	size_t		 with = 0, begin, end, i;
	int		 status = complete != NULL ? jsonpath_read(complete,
	    &p, e) : -1;

	if (status == 0)
		status = find_values(&p, f, all, &with, e);
	if (status == 0 && with == 0 && f->count > 0)
		status = error_set(e, "couldn't find any field with path "
		    "\"%s\" in the list of objects", complete);
	for (begin = 0; status == 0 && begin < f->count; begin = end) {
		for (end = begin; end < f->count && f->items[end].type ==
		    f->items[begin].type; end++)
			continue;
		qsort(all + begin, end - begin, sizeof(*all),
		    compare_sorted);
	}
	for (i = 0; status == 0 && i < f->count; i++)
		f->items[i] = all[i].found;
	jsonpath_free(&p);
	free(complete);
	free(all);
	return status;
}
