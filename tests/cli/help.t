The manuals are part of the file: ipubox help lists and shows them.

  $ ipubox help > list; sed 5q list
  usage: ipubox help [NAME]
  
  Show one of these manuals, which are part of this file.  NAME.5 is the one in
  section 5.  On a terminal, $PAGER shows it.
  
  $ ipubox help --help | cmp - list; awk 'length > 80' list
  $ sed -n 's/^  \([a-z]*[a-z.-]*([1-8])\) .*/\1/p' list > names
  $ sed 's/(.*//' names | grep -cx 'poprun\|vipu\|ipubox-job\|ipubox.conf\|popdist'
  6

Each name of the list is shown, at most 80 columns wide and without a byte that
is not plain text:

  $ while read -r name; do
  >   ipubox help "$name" > page || echo "$name"
  >   upper=$(echo "$name" | tr a-z A-Z)
  >   sed 1q page | grep -q "^$upper  *.*$upper\$" || echo "$name: $(sed 1q page)"
  >   grep -q '^DESCRIPTION$' page || echo "$name: no description"
  >   LC_ALL=C grep -n '[^ -~]' page
  >   awk -v name="$name" 'length > 80 { print name ": " $0 }' page
  > done < names

The shell completes names:

  $ ipubox __complete he; ipubox __complete help poprun; ipubox __complete help ipubox-jo | uniq
  help
  poprun
  ipubox-job

The forms of a name:

  $ ipubox help ipubox-job | sed -n '1p'
  IPUBOX-JOB(1)               General Commands Manual              IPUBOX-JOB(1)
  $ ipubox help ipubox-job.5 > page; sed 1q page
  IPUBOX-JOB(5)                 File Formats Manual                IPUBOX-JOB(5)
  $ ipubox help 'ipubox-job(5)' | cmp - page
  $ ipubox help job.5 | cmp - page
  $ ipubox help train | sed -n '4p'
       ipubox-train - train and test a model that a file describes
  $ ipubox help ipubox.conf | sed 1q
  IPUBOX.CONF(5)                File Formats Manual               IPUBOX.CONF(5)

What does not exist:

  $ ipubox help popurn
  ipubox: manual 'popurn' does not exist ("ipubox help" lists all; did you mean poprun?)
  [1]
  $ ipubox help poprun.7
  ipubox: manual 'poprun.7' does not exist ("ipubox help" lists all; did you mean poprun?)
  [1]
  $ ipubox help ''
  ipubox: manual '' does not exist ("ipubox help" lists all)
  [1]
  $ ipubox help vipu create
  ipubox: help takes one NAME
  usage: ipubox APPLET [argument ...] (ipubox --help lists the applets)
  [2]
  $ ipubox help poprun > /dev/full
  ipubox: cannot write to standard output: No space left on device
  [1]

On a terminal the pager gets the text, with bold and underlined letters typed
over each other; a pager that stops early, fails or is missing loses nothing:

  $ cat > terminal <<'END'
  > import os, pty, sys
  > sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
  > END
  $ on_terminal() {
  >   python3 terminal sh -c 'stty -onlcr; exec ipubox "$@"' sh "$@" < /dev/null
  > }
  $ PAGER='sed -n 3,4l' on_terminal help gc-reset
  N\bNA\bAM\bME\bE$
       g\bgc\bc-\b-r\bre\bes\bse\bet\bt - reset IPU devices$
  $ PAGER='sed -n 1q' on_terminal help poprun
  $ ipubox help gc-reset > plain
  $ PAGER= on_terminal help gc-reset | cmp - plain
  $ PAGER=cat on_terminal help gc-reset | cmp - plain
  $ PAGER=/no/such on_terminal help gc-reset | grep -v /no/such | cmp - plain
  $ mkdir links; on_terminal --install links
  The manuals are in the same file: ipubox help
