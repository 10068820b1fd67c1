"""
All pairs of gc-monitor's options for its output: a call is refused as misuse,
or succeeds, and then JSON that was asked for is JSON, and other output is not
empty.  Prints what is wrong, and at the end how many calls there were.
"""
import itertools
import json
import subprocess
import sys

OPTIONS = [
    ['-j'], ['-c'], ['-s'], ['--no-headers'], ['--no-card-info'], ['-v'],
    ['--wide'], ['--style', 'latest'], ['--color', 'always'],
    ['--all-partitions'], ['--query=index,pid,utilisation,power,errors'],
    ['--format=json'], ['--format=csv'], ['--format=json,nounits'],
    ['--format=noheader,json'], ['--format=csv,noheader,nounits'],
    ['-i', '1-2,3'], ['--loop'], ['--list-fields'],
]
# Looks at the end of a recording end even in a loop.
ALWAYS = ['gc-monitor', '--replay', sys.argv[1]]
QUERY = ['--query=index,user,temperature,timestamp,command']


def check(arguments):
    got = subprocess.run(ALWAYS + arguments, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False)
    if got.returncode == 2:
        return 'misuse' if b'usage: ' in got.stderr else 'no usage'
    if got.returncode != 0 or got.stderr:
        return 'status %d: %s' % (got.returncode, got.stderr.decode())
    text = got.stdout.decode()
    # The last --format counts.
    forms = [a for a in arguments if a.startswith('--format=')
             and ('json' in a or 'csv' in a)]
    if '--list-fields' in arguments:
        return 'done' if text.startswith('Field ') else 'no fields'
    if '-j' not in arguments and not (forms and 'json' in forms[-1]):
        return 'done' if text else 'empty'
    parts = text.splitlines() if '--loop' in arguments else [text]
    for part in parts:
        json.loads(part)
    return 'JSON'


def main():
    counts = {}
    for pair in itertools.permutations(OPTIONS, 2):
        for more in ([], QUERY):
            if more and any(a.startswith('--query') for a in pair[0] + pair[1]):
                continue
            arguments = pair[0] + pair[1] + more
            try:
                verdict = check(arguments)
            except ValueError as error:
                verdict = 'not JSON: %s' % error
            if verdict not in ('misuse', 'done', 'JSON'):
                print(' '.join(arguments), '-', verdict)
            counts[verdict] = counts.get(verdict, 0) + 1
    print(', '.join('%s: %d' % c for c in sorted(counts.items())))


main()
