#needs chromium
#skip-unless ! ldd "$IPUBOX" # the page is the same from every build
What a browser makes of profiles: report.html and timeline.svg in headless
Chromium (tests/browser/run).  The figures shown are those of summary.json.

  $ vipu create partition p1 --size 4 --reconfigurable
  create partition (p1): success
  $ mnist-pipeline --dataset generated --samples 2160 --epochs 1 --batch-size 24 --device-iterations 3 --recompute --test-batch-size 4 --profile > /dev/null

Of an inference, with several stages on an IPU:

  $ mnist-pipeline --dataset generated --samples 2160 --epochs 1 --stages B1/B2/B3/B4 --batch-size 24 --device-iterations 3 --test-batch-size 4 --profile --profile-dir more > /dev/null

Of a model with long names, whose call has 20 device iterations:

  $ sed 's/^name = .*/name = averyveryverylongnameofamodel31/; s/block hidden/block hidden_with_quite_a_long_name1/' "$TESTDIR/../config/models/mlp.ini" > long.ini
  $ ipubox train ./long.ini --dataset generated --samples 9000 --epochs 1 --batch-size 4 --profile --profile-dir long > /dev/null

Of a model that a program computed itself, which is only modelled:

  $ ipubox __outline --profile outline < "$TESTDIR/golden/outline/tutorial.json" > /dev/null

Of a job, and one with a figure that is not so:

  $ poprun --launcher local --vipu-partition p2 --update-partition=yes --num-replicas 2 --num-instances 2 --ipus-per-replica 4 --autoreport-dir job mnist-pipeline --dataset generated --samples 2160 --epochs 1 --batch-size 4 --device-iterations 3 --test-batch-size 4 > /dev/null
  $ cp -r job odd; sed -i 's/\(run.calls" data-value="\)/\19/; s/<a href="1/<a href="2/' odd/index.html

Two that are wrong: also a text that is cut, one over another, one that is as
light as its ground and too wide for the page:

  $ cp -r profile/training wrong
  $ sed -i 's/class="box f"/class="box"/; s/>76.9 %</>77.9 %</; s/<text x="0" y="21">IPU 0/<text x="-9" y="21">IPU 0/; s/>tile 0</>tile 0 and a name that is too long by far</; s/<footer>/<footer style="color:#888; width:1300px">/' wrong/report.html
  $ cp -r profile/training grey
  $ sed -i 's/prefers-color-scheme: dark/prefers-color-scheme: none/; s/<head>/<head><script>throw new Error("oh");<\/script>/' grey/report.html
  $ sed -i 's/<\/g>/<\/h>/' grey/timeline.svg

  $ "$TESTDIR/browser/run" profile/training more/inference wrong grey job odd long/training outline/training > said
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
  ok - all device iterations on demand
  ok - and they are all there
  ok - axes fit the tiles
  ok - light: 1200 pixels: nothing runs out of the page
  ok - light: 1200 pixels: nothing leaves its box
  ok - light: 1200 pixels: pictures show all their text
  ok - light: 1200 pixels: labels stand apart
  ok - light: 1200 pixels: text can be read
  ok - light: 400 pixels: nothing runs out of the page
  ok - light: 400 pixels: nothing leaves its box
  ok - light: 400 pixels: pictures show all their text
  ok - light: 400 pixels: labels stand apart
  ok - light: 400 pixels: text can be read
  ok - no script fails
  ok - end
  ok - dark: 1200 pixels: nothing runs out of the page
  ok - dark: 1200 pixels: nothing leaves its box
  ok - dark: 1200 pixels: pictures show all their text
  ok - dark: 1200 pixels: labels stand apart
  ok - dark: 1200 pixels: text can be read
  ok - dark: 400 pixels: nothing runs out of the page
  ok - dark: 400 pixels: nothing leaves its box
  ok - dark: 400 pixels: pictures show all their text
  ok - dark: 400 pixels: labels stand apart
  ok - dark: 400 pixels: text can be read
  ok - timeline.svg opens alone
  $ sed -n '/^more/,/^wrong/p' said | grep -c '^ok'
  42

The check finds what is wrong:

  $ sed -n '/^wrong/,/^grey/p' said | grep '^not ok'
  not ok - figures are those of summary.json: .* (re)
  not ok - a blue box a forward: [0-9]+/40 (re)
  not ok - light: 1200 pixels: nothing runs out of the page: .* (re)
  not ok - light: 1200 pixels: nothing leaves its box: .*FOOTER.* (re)
  not ok - light: 1200 pixels: pictures show all their text: .*IPU 0.* (re)
  not ok - light: 1200 pixels: labels stand apart: .* (re)
  not ok - light: 1200 pixels: text can be read: .*FOOTER.* (re)
  not ok - light: 400 pixels: nothing runs out of the page: .* (re)
  not ok - light: 400 pixels: nothing leaves its box: .*FOOTER.* (re)
  not ok - light: 400 pixels: pictures show all their text: .*IPU 0.* (re)
  not ok - light: 400 pixels: labels stand apart: .* (re)
  not ok - light: 400 pixels: text can be read: .*FOOTER.* (re)
  not ok - dark: 1200 pixels: nothing runs out of the page: .* (re)
  not ok - dark: 1200 pixels: nothing leaves its box: .*FOOTER.* (re)
  not ok - dark: 1200 pixels: pictures show all their text: .*IPU 0.* (re)
  not ok - dark: 1200 pixels: labels stand apart: .* (re)
  not ok - dark: 400 pixels: nothing runs out of the page: .* (re)
  not ok - dark: 400 pixels: nothing leaves its box: .*FOOTER.* (re)
  not ok - dark: 400 pixels: pictures show all their text: .*IPU 0.* (re)
  not ok - dark: 400 pixels: labels stand apart: .* (re)
  $ sed '1,/^grey/d; /^job/,$d' said | grep '^not ok'
  not ok - no script fails: Uncaught Error: oh
  not ok - dark: 1200 pixels: text can be read: .* (re)
  not ok - dark: 400 pixels: text can be read: .* (re)
  not ok - timeline.svg does not open

Long names are cut nowhere:

  $ sed '1,/^long/d; /^outline/,$d' said | grep '^not ok'
  [1]

Nor is anything wrong with the page of an outline:

  $ sed '1,/^outline/d' said | grep -c '^ok'
  42
  $ sed '1,/^outline/d' said | grep '^not ok'
  [1]

The page of the job:

  $ sed -n '/^job/,/^odd/p' said | sed '$d'
  job
  ok - a link to each profile
  ok - figures are those of the summaries
  ok - each says how its run ended
  ok - light: 1200 pixels: nothing runs out of the page
  ok - light: 1200 pixels: nothing leaves its box
  ok - light: 1200 pixels: pictures show all their text
  ok - light: 1200 pixels: labels stand apart
  ok - light: 1200 pixels: text can be read
  ok - light: 400 pixels: nothing runs out of the page
  ok - light: 400 pixels: nothing leaves its box
  ok - light: 400 pixels: pictures show all their text
  ok - light: 400 pixels: labels stand apart
  ok - light: 400 pixels: text can be read
  ok - no script fails
  ok - end
  ok - dark: 1200 pixels: nothing runs out of the page
  ok - dark: 1200 pixels: nothing leaves its box
  ok - dark: 1200 pixels: pictures show all their text
  ok - dark: 1200 pixels: labels stand apart
  ok - dark: 1200 pixels: text can be read
  ok - dark: 400 pixels: nothing runs out of the page
  ok - dark: 400 pixels: nothing leaves its box
  ok - dark: 400 pixels: pictures show all their text
  ok - dark: 400 pixels: labels stand apart
  ok - dark: 400 pixels: text can be read
  $ sed '1,/^odd/d; /^long/,$d' said | grep '^not ok'
  not ok - a link to each profile: 0/training/report.html 0/inference/report.html 2/training/report.html
  not ok - figures are those of the summaries: 3
