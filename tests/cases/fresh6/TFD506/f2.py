import argparse

import tensorflow as tf

DURATION_MS = 10


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--worker", default="grpc://10.0.0.2:6009")
    parser.add_argument("--logdir", default="gs://bucket/profiles")
    args = parser.parse_args()
    options = tf.profiler.experimental.ProfilerOptions(host_tracer_level=2)
    tf.profiler.experimental.client.trace(
        args.worker,
        args.logdir,
        DURATION_MS,
        options=options,
    )
    files = tf.io.gfile.glob(args.logdir + "/plugins/profile/*")
    print(f"{len(files)} profiles in {args.logdir}")


if __name__ == "__main__":
    main()
