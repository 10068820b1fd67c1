Device memory: the report, as a table and as JSON, what the options change in
it, and what is refused before anything runs.

  $ alias report='mnist-pipeline --dataset generated --samples 5000 --epochs 0 --memory-report'
  $ vipu create partition p1 --size 4 --reconfigurable
  create partition (p1): success
  $ report | sed '/^$/,$d'
  Memory per IPU, training: 1,472 tiles of 624.0 kB, 897.0 MB
  IPU | Weights  | Gradients | Optimiser | Stash    | Activations | Exchange | Streams  | Code     | Total    | Largest tile  | Off chip
  ----------------------------------------------------------------------------------------------------------------------------------------
  0   | 1.0 kB   | 1.0 kB    | 2.0 kB    | 1.6 MB   | 1.1 MB      | 450.0 kB | 122.5 kB | 30.1 MB  | 33.3 MB  | 23.2 kB (34)  | 0 B
  1   | 19.6 kB  | 19.6 kB   | 39.2 kB   | 1.2 MB   | 250.0 kB    | 325.0 kB | 0 B      | 29.8 MB  | 31.7 MB  | 22.1 kB (1)   | 0 B
  2   | 321.0 kB | 321.0 kB  | 642.0 kB  | 180.0 kB | 0 B         | 130.0 kB | 0 B      | 26.6 MB  | 28.2 MB  | 19.6 kB (1)   | 0 B
  3   | 10.0 kB  | 10.0 kB   | 20.1 kB   | 0 B      | 43.1 kB     | 40.0 kB  | 1.6 kB   | 27.5 MB  | 27.7 MB  | 19.3 kB (645) | 0 B
  all | 351.7 kB | 351.7 kB  | 703.3 kB  | 3.0 MB   | 1.4 MB      | 945.0 kB | 124.1 kB | 114.0 MB | 120.8 MB |               | 0 B

Inference has no gradients, no state and no stash:

  $ report | sed -n '/inference/,/^$/p' | cut -d '|' -f 1-5
  Memory per IPU, inference: 1,472 tiles of 624.0 kB, 897.0 MB
  IPU | Weights  | Gradients | Optimiser | Stash 
  ----------------------------------------------------------------------------------------------------------------------------------
  0   | 1.0 kB   | 0 B       | 0 B       | 0 B   
  1   | 19.6 kB  | 0 B       | 0 B       | 0 B   
  2   | 321.0 kB | 0 B       | 0 B       | 0 B   
  3   | 10.0 kB  | 0 B       | 0 B       | 0 B   
  all | 351.7 kB | 0 B       | 0 B       | 0 B   
  

The stash by strategy and recomputation, and the state on and off the chip:

  $ report --strategy interleaved | sed -n '/^all/{p;q}' | cut -d '|' -f 5
   1.8 MB   
  $ report --recompute | sed -n '/^all/{p;q}' | cut -d '|' -f 5
   2.1 MB   
  $ report --strategy one-ipu | sed -n '4,5p' | cut -d '|' -f 1,5,7
  0   | 545.0 kB | 0 B      
  all | 545.0 kB | 0 B      
  $ report --offload-optimiser | sed -n '4,8p' | cut -d '|' -f 1,4,12
  0   | 0 B       | 2.0 kB
  1   | 0 B       | 39.2 kB
  2   | 0 B       | 642.0 kB
  3   | 0 B       | 20.1 kB
  all | 0 B       | 703.3 kB

As JSON, one object for each engine:

  $ report --memory-json memory.json > /dev/null
  $ grep -c '"fits": true' memory.json
  2
  $ sed -n '/"target"/,/}/p' memory.json | head -5
    "target": {
      "tiles": 1472,
      "tile_bytes": 638976,
      "ipu_bytes": 940572672
    },
  $ grep -A 7 '"B1/conv2d/input"' memory.json | head -7
        "name": "B1/conv2d/input",
        "ipu": 0,
        "kind": "stash",
        "bytes": 878080,
        "copies": 7,
        "first_tile": 32,
        "tile_count": 1464

What does not fit is refused before the training, and no file is touched:

  $ mnist-pipeline --dataset generated --save c --ipu-memory 30M
  mnist-pipeline: Out of memory: Cannot fit all variable data onto one or more tiles.
  IPU 0: tile 34 needs 23,808 bytes and has 21,370; 1,472 of 1,472 tiles are too small
    30.1 MB of code: more memory on a tile
    1.1 MB of activations, stage0/working: a smaller batch size
    857.5 kB of stash, B1/conv2d/input: recompute, or a smaller batch size
  [1]
  $ test -e c
  [1]

A profile that is asked for shows what it was; one engine's option leaves it
out:

  $ mnist-pipeline --dataset generated --ipu-memory 30M --profile 2>&1 | head -1
  mnist-pipeline: Out of memory: Cannot fit all variable data onto one or more tiles. Profile saved to: ./profile/training/report.html
  $ grep -c '"fullest_tile_bytes"' profile/training/report.html
  4
  $ grep '"interrupted"' profile/training/summary.json
      "interrupted": "interrupted before call 1 was complete: the model does not fit into memory",
  $ export POPLAR_ENGINE_OPTIONS='{"autoReport.all":"true","autoReport.directory":"other","debug.allowOutOfMemory":"false"}'
  $ mnist-pipeline --dataset generated --ipu-memory 30M 2>&1 | head -1
  mnist-pipeline: Out of memory: Cannot fit all variable data onto one or more tiles.
  $ unset POPLAR_ENGINE_OPTIONS
  $ test -e other
  [1]
  $ mnist-pipeline --dataset generated --ipu-memory 100k 2>&1 | sed -n 2p
  IPU 0: tile 34 needs 23,808 bytes and has 69; 1,472 of 1,472 tiles are too small
  $ mnist-pipeline --dataset generated --samples 5000 --epochs 0 --ipu-memory 34M | tail -1
  Accuracy .* (re)
