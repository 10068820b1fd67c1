#needs chromium
#skip-unless ! ldd "$IPUBOX" # the page is the same from every build
What a browser makes of profiles: report.html and index.html in headless
Chromium (tests/browser/run).  The figures shown are those of summary.json.

  $ vipu create partition p1 --size 4 --reconfigurable
  create partition (p1): success
  $ mnist-pipeline --dataset generated --samples 2160 --epochs 1 --batch-size 24 --device-iterations 3 --recompute --test-batch-size 4 --profile > /dev/null

Of an inference, with several stages on an IPU:

  $ mnist-pipeline --dataset generated --samples 2160 --epochs 1 --stages B1/B2/B3/B4 --batch-size 24 --device-iterations 3 --test-batch-size 4 --profile --profile-dir more > /dev/null

Of a model with long names, whose call has 20 device iterations:

  $ sed 's/^name = .*/name = averyveryverylongnameofamodel31/; s/block hidden/block hidden_with_quite_a_long_name1/' "$TESTDIR/../config/models/mlp.ini" > long.ini
  $ ipubox train ./long.ini --dataset generated --samples 9000 --epochs 1 --batch-size 4 --profile --profile-dir long > /dev/null

Of other strategies, of more columns than are drawn, and with a command that
looks like markup:

  $ mlp() { ipubox train "$TESTDIR/../config/models/mlp.ini" --dataset generated --samples 2400 --epochs 1 --batch-size 4 --device-iterations 2 --test-batch-size 4 --test-device-iterations 20 --profile --profile-dir "$@" > /dev/null; }
  $ mlp interleaved --strategy interleaved; mlp sharded --strategy sharded
  $ mlp '<img src=x onerror="errors.push(1)">' --gradient-accumulation 150; mv '<img'* columns

Of one whose device iteration has more steps than the page:

  $ ipubox train "$TESTDIR/../config/models/mlp.ini" --dataset generated --samples 4800 --epochs 1 --batch-size 1 --gradient-accumulation 2000 --device-iterations 1 --test-batch-size 4 --test-device-iterations 20 --profile --profile-dir cut > /dev/null
  $ grep -o '"columns": [0-9]*' cut/training/report.html
  "columns": 4002
  "columns": 3000

Of a model that a program computed itself, which is only modelled, and one with
its times:

  $ ipubox __outline --profile outline < "$TESTDIR/golden/outline/tutorial.json" > /dev/null
  $ { sed '$d' "$TESTDIR/golden/outline/tutorial.json"; echo ', "host": {"compile_s": 2, "calls": [{"input_s": 0.5, "run_s": 3, "output_s": 0.25}], "timeline": [{"kind": "compile", "from_s": 100, "to_s": 102}, {"kind": "run", "call": 0, "from_s": 102, "to_s": 105}, {"kind": "weights_out", "from_s": 200, "to_s": 201}]}}'; } | ipubox __outline --profile measured > /dev/null

Of a job, and one with a figure that is not so:

  $ poprun --launcher local --vipu-partition p2 --update-partition=yes --num-replicas 2 --num-instances 2 --ipus-per-replica 4 --autoreport-dir job mnist-pipeline --dataset generated --samples 2160 --epochs 1 --batch-size 4 --device-iterations 3 --test-batch-size 4 > /dev/null
  $ adding() { echo "<script>$1</script>" >> "$2"; }
  $ cp -r job odd; sed -i 's/"calls": /&9/' odd/0/index.html
  $ adding "document.querySelectorAll('th a')[2].setAttribute('href', '../2/training/report.html')" odd/0/index.html

Of a job with a summary that someone else made, and one that is missing:

  $ cp -r job strange; sed -i 's/"count": 2/"count": 3/' strange/0/index.html; for file in strange/0/index.html strange/0/training/summary.json; do sed -i '0,/"calls"/s/"calls": [0-9]*/"calls": -3/; 0,/"samples"/s/"samples": [0-9]*/"samples": 1e300/; 0,/"complete"/s/"complete": true/"interrupted": "by <i>"/; 0,/"model"/s/"model": "/&\\u003cb>\\u0007/' $file; done

Two that are wrong: also a text that is cut, one over another, one that is as
light as its ground and too wide for the page:

  $ cp -r profile/training wrong
  $ adding "const one = (s) => document.querySelector(s);
  > one('.box.f').setAttribute('class', 'box'); one('.again').remove();
  > one('[data-key=\"utilisation.closed_form\"]').textContent = '77.9 %';
  > one('[data-key=\"run.samples\"]').remove(); one('.tl text').setAttribute('x', '-9');
  > one('.tiles text[text-anchor=start]').textContent += ' and a name that is too long by far';
  > one('footer').setAttribute('style', 'color:#888; width:1300px')" wrong/report.html
  $ cp -r profile/training grey
  $ sed -i 's/--card: #12171d; --ink/--card: #eee; --ink/; s/<head>/<head><script>throw new Error("oh");<\/script>/' grey/report.html

  $ "$TESTDIR/browser/run" profile/training more/inference wrong grey job odd strange long/training outline/training measured/training interleaved/training sharded/training columns/training cut/training job/0/training > said
  [1]
  $ sed '/^more/,$d' said
  profile/training
  ok - names and the command
  ok - how the run ended
  ok - numbers as a person reads them
  ok - the page has figures
  ok - figures are those of summary.json
  ok - figures of summary.json stand once
  ok - a blue box a forward
  ok - a red box a backward
  ok - numbers fit their boxes
  ok - strips where forward is computed again
  ok - phases
  ok - a micro-batch can be followed
  ok - and be left again
  ok - all sections are there
  ok - a picture of tiles an IPU
  ok - two clocks
  ok - bars are whole
  ok - the findings are those of summary.json
  ok - rows have headers
  ok - tables have heads and rows
  ok - the longest steps are those of summary.json
  ok - what the host measured
  ok - operations of an outline
  ok - what the host did, as a picture
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
  $ sed -n '/^more/,/^wrong/p' said | grep -c '^ok'
  49

The check finds what is wrong:

  $ sed -n '/^wrong/,/^grey/p' said | grep '^not ok'
  not ok - figures are those of summary.json: .* (re)
  not ok - figures of summary.json stand once: run.samples
  not ok - a blue box a forward: 39/40
  not ok - strips where forward is computed again: 29
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
  $ sed '1,/^grey/d; /^job$/,$d' said | grep '^not ok'
  not ok - no script fails: Uncaught Error: oh
  not ok - dark: 1200 pixels: text can be read: .* (re)
  not ok - dark: 400 pixels: text can be read: .* (re)

Long names are cut nowhere:

  $ sed '1,/^long/d; /^outline/,$d' said | grep '^not ok'
  [1]

Nor is anything wrong with the pages of outlines, other strategies, many columns,
too many steps, and one of two instances:

  $ sed '1,/^outline/d' said | grep -c '^ok'
  343
  $ sed '1,/^outline/d' said | grep '^not ok'
  [1]

The page of the job:

  $ sed -n '/^job$/,/^odd/p' said | sed '$d'
  job
  ok - a link to each profile
  ok - figures are those of the summaries
  ok - names and the command
  ok - the sum of the rates
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
  $ sed '1,/^odd/d; /^strange/,$d' said | grep '^not ok'
  not ok - a link to each profile: ../0/training/report.html ../0/inference/report.html ../2/training/report.html
  not ok - figures are those of the summaries: 3
  $ sed '1,/^strange/d; /^long/,$d' said | grep '^not ok'
  [1]
