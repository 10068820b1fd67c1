ipubox __outline: what the device says of a model that the SDK computes itself,
here of the tutorial's, described as PyTorch would run it.  mnist-pipeline says
the same of its own layers: the same bytes on each IPU, and the same cycles.

  $ doc=$TESTDIR/golden/outline/tutorial.json
  $ figures() { sed -n '/"tensors"/q; s/^ *"\(\(weights\|gradients\|optimiser\|stash\|exchange\|streams\|streaming_memory\)_bytes": [0-9]*\).*/\1/p' "$1"; }
  $ cycles() { sed -n 's/^ *\("\(forward\|backward\)_\(cycles\|bytes\)": [0-9]*\).*/\1/p'; }
  $ ipubox __outline < "$doc" > answer; tail -3 answer
    "profile": null,
    "error": null
  }
  $ vipu create partition p --size 4 --reconfigurable
  create partition (p): success
  $ mnist-pipeline --dataset generated --samples 5000 --epochs 1 --memory-json memory.json --profile --profile-dir own > /dev/null
  $ figures memory.json > ours; figures answer > theirs; wc -l < ours; diff ours theirs
  28
  $ ipubox __ipubox __outline --profile page < "$doc" | tail -3
    "profile": "page/training/report.html",
    "error": null
  }
  $ ls page/training
  report.html
  schedule.txt
  summary.json
  trace.json

With a cache the answer is worked out once:

  $ executable() { ipubox __outline --cache cache < "$doc" > cached && sed -n '/"executable"/,$p' cached | sed 's/[0-9a-f]\{32\}/KEY/'; }
  $ executable
    "executable": {
      "path": "cache/KEY.popef",
      "loaded": false,
      "kept": true,
      "trouble": null
    }
  }
  $ executable | sed -n 3p; sed '/"error"/q; ' cached > a; sed '/"error"/s/$/,/; /"error"/q' answer | cmp a
      "loaded": true,
  $ tr '{' '[' < "$doc" | ipubox __outline --cache cache
  ipubox: the document is not * (glob)
  [1]
  $ ls cache | wc -l
  1

The loss has its gradient in forward there, and here in backward:

  $ stages() { sed -n '/"stages": \[/,/"ipus": \[/p' "$1/training/summary.json" | cycles; }
  $ stages own > ours; stages page > theirs; diff ours theirs | tr '<>' '-+'
  13,14c13,14
  - "forward_cycles": 1436
  - "backward_cycles": 1262
  ---
  + "forward_cycles": 1236
  + "backward_cycles": 1463
  $ steps() { sed -n '/^"steps"/,/^"modelled"/p' "$1/training/report.html" | sed '/^"modelled"/d'; }
  $ steps own > ours; steps page > theirs; wc -l < ours; cmp ours theirs
  85
  $ sed 's/, [0-9]* seen//' own/training/schedule.txt | diff - page/training/schedule.txt

What was measured comes with the document, and stands beside what is modelled:

  $ measured() { sed '$d' "$doc"; echo ', "host": {"computed_by": "PyTorch", "compile_s": 2, "calls": [{"input_s": 0.5, "run_s": 3, "output_s": 0.25}, {"count": 4, "run_s": 7}]}}'; }
  $ measured | ipubox __outline --profile run | tail -3
    "profile": "run/training/report.html",
    "error": null
  }
  $ sed -n '/"run": {/,/}/s/^ *//p' run/training/summary.json | grep -v processors
  "run": {
  "calls": 5,
  "complete": true,
  "samples": 20000,
  "host_computed_by": "PyTorch",
  "host_steps": false,
  "host_compile_seconds": 2.0,
  "host_input_seconds": 0.5,
  "host_output_seconds": 0.25,
  "host_first_run_seconds": 3.0,
  "host_seconds": 10.0,
  "host_samples_per_second": 2000.0,
  "modelled_seconds": 0.017550375939849625,
  "modelled_samples_per_second": 1139576.7286436467
  },
  $ sed -n '/"run": {/,/}/p' run/training/summary.json > run.json; sed -n '/"run": {/,/}/p' run/training/report.html | cmp - run.json

So does the reason why a run ended early:

  $ measured | sed '$s/, "host"/, "interrupted": "ValueError: nan"&/' | ipubox __outline --profile early > /dev/null
  $ sed -n '/"complete"/,/"interrupted"/s/^ *//p' early/training/summary.json
  "complete": false,
  "interrupted": "interrupted after call 5: ValueError: nan",

An operation that is not known is said, in the report and on the page:

  $ sed 's/aten::relu/aten::swish/' "$doc" | ipubox __outline --profile odd | grep -A 2 notes
      "notes": [
        "unknown operation aten::swish (3 times): it is costed as an elementwise one"
      ],
  $ grep -c 'unknown operation aten::swish (3 times): it is costed as an elementwise one' odd/training/report.html
  1

What does not fit is an answer; with a profile, it is written and named:

  $ sed 's/"clock_mhz"/"ipu_bytes": 29440000, &/' "$doc" > small
  $ ipubox __outline < small | tail -5
    "profile": null,
    "error": {
      "text": "Out of memory: Cannot fit all variable data onto one or more tiles.\nIPU 1: tile 1 needs 22,728 bytes and has 20,000; 1,472 of 1,472 tiles are too small\n  29.8 MB of code: more memory on a tile\n  1.1 MB of stash, B2/conv2d/input: recompute, or a smaller batch size\n  425.0 kB of activations, stage1/working: a smaller batch size"
    }
  }
  $ ipubox __outline --profile full < small | sed -n 's/.*\(Profile saved to: [^\\]*\).*/\1/p'; ls full/training | wc -l
  Profile saved to: full/training/report.html
  4

What is refused has a sentence, and no answer:

  $ ipubox __outline < /dev/null
  ipubox: the document is not valid JSON: input length is 0 at byte 0
  [1]
  $ echo '{"outline": 1, "names": "x"}' | ipubox __outline
  ipubox: member 'names' is unknown (did you mean name?)
  [1]
  $ sed 's/"gradient_accumulation": 10/"gradient_accumulation": 6/' "$doc" | ipubox __outline
  ipubox: poptorch.Options().Training.gradientAccumulation must be greater than or equal to the number of pipeline stages (7) when using poptorch.PipelinedExecution. Please note that a model with 4 pipeline stages in PopTorch will have an additional 3 stages when training.
  [1]
  $ POPLAR_ENGINE_OPTIONS='{"autoReport.al":"true"}' ipubox __outline < "$doc"
  ipubox: POPLAR_ENGINE_OPTIONS: invalid_option: Unrecognised option 'autoReport.al'
  [1]
  $ head -c 40000000 /dev/zero | ipubox __outline
  ipubox: cannot read the document: File too large
  [1]
  $ ipubox __outline --profile "$doc" < "$doc"
  ipubox: cannot create directory */golden/outline/tutorial.json/training: Not a directory (glob)
  [1]
  $ ipubox __outline <&-
  ipubox: cannot read the document: Bad file descriptor
  [1]
  $ ipubox __outline x < "$doc"
  ipubox: __outline takes only --profile DIR or --cache DIR; it reads a document from standard input
  usage: ipubox APPLET [argument ...] (ipubox --help lists the applets)
  [2]
  $ ipubox __outline --profile < "$doc"
  ipubox: __outline takes only --profile DIR or --cache DIR; it reads a document from standard input
  usage: ipubox APPLET [argument ...] (ipubox --help lists the applets)
  [2]
  $ ipubox __outline --profile '' < "$doc"
  ipubox: __outline takes only --profile DIR or --cache DIR; it reads a document from standard input
  usage: ipubox APPLET [argument ...] (ipubox --help lists the applets)
  [2]
  $ ipubox __outline < "$doc" > /dev/full
  ipubox: cannot write to standard output: No space left on device
  [1]

The example of the manual:

  $ sed -n '/^{"outline": 1/,/^END/p' "$TESTDIR/../man/ipubox-link.7" | sed '$d' | ipubox __outline | grep '"call"'
      "call": 1548,
  $ grep -c '^    "call": 1548,$' "$TESTDIR/../man/ipubox-link.7"
  1
