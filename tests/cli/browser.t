#skip-unless command -v chromium
#skip-unless ! ldd "$IPUBOX" # the page is the same from every build
What a browser makes of profiles: report.html and timeline.svg in headless
Chromium (tests/browser/run).  The figures shown are those of summary.json.

  $ vipu create partition p1 --size 4
  create partition (p1): success
  $ mnist-pipeline --dataset generated --samples 2160 --epochs 1 --batch-size 24 --device-iterations 3 --recompute --test-batch-size 4 --profile > /dev/null

Of an inference, with several stages on an IPU:

  $ mnist-pipeline --dataset generated --samples 2160 --epochs 1 --stages B1/B2/B3/B4 --batch-size 24 --device-iterations 3 --test-batch-size 4 --profile --profile-dir more > /dev/null

Two that are wrong:

  $ cp -r profile/training wrong
  $ sed -i 's/class="box f"/class="box"/; s/>76.9 %</>77.9 %</' wrong/report.html
  $ cp -r profile/training grey
  $ sed -i 's/prefers-color-scheme: dark/prefers-color-scheme: none/; s/<head>/<head><script>throw new Error("oh");<\/script>/' grey/report.html
  $ sed -i 's/<\/g>/<\/h>/' grey/timeline.svg

  $ "$TESTDIR/browser/run" profile/training more/inference wrong grey > said
  [1]
  $ sed '/^more/,$d' said
  profile/training
  ok - each figure stands once
  ok - the page has figures
  ok - figures are those of summary.json
  ok - a blue box a forward
  ok - a red box a backward
  ok - numbers fit their boxes
  ok - a micro-batch can be followed
  ok - and be left again
  ok - all sections are there
  ok - a picture of tiles an IPU
  ok - two clocks
  ok - bars are whole
  ok - the findings are those of summary.json
  ok - rows have headers
  ok - no table is empty
  ok - the longest steps are those of summary.json
  ok - light: text can be read
  ok - 1200 pixels: nothing runs out of the page
  ok - 400 pixels: nothing runs out of the page
  ok - no script fails
  ok - end
  ok - dark: text can be read
  ok - timeline.svg opens alone
  $ sed -n '/^more/,/^wrong/p' said | grep -c '^ok'
  23

The check finds what is wrong:

  $ sed -n '/^wrong/,/^grey/p' said | grep '^not ok'
  not ok - figures are those of summary.json: .* (re)
  not ok - a blue box a forward: [0-9]+/40 (re)
  $ sed '1,/^grey/d' said | grep '^not ok'
  not ok - no script fails: Uncaught Error: oh
  not ok - dark: text can be read: .* (re)
  not ok - timeline.svg does not open
