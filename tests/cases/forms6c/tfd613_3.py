import argparse

import keras
import tensorflow as tf

HEADS = {
    "single": lambda n: keras.layers.Dense(n, activation="softmax", name="probs"),
    "multi": lambda n: keras.layers.Dense(n, activation="sigmoid", name="probs", dtype="float32"),
}


def setup_precision(args):
    if args.fp16:
        keras.mixed_precision.set_global_policy("mixed_float16")


def create_model(args):
    backbone = keras.applications.ResNet101(include_top=False, weights=None, pooling="avg",
                                            input_shape=(224, 224, 3))
    outputs = HEADS[args.head](args.classes)(backbone.output)
    model = keras.Model(backbone.input, outputs)
    model.compile(keras.optimizers.SGD(0.05, momentum=0.9), "sparse_categorical_crossentropy")
    return model


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [224, 224]) / 255.0, label


def species(args):
    lines = tf.io.gfile.GFile(args.index).read().splitlines()
    paths, labels = zip(*(line.split(",") for line in lines))
    ds = tf.data.Dataset.from_tensor_slices((list(paths), [int(l) for l in labels]))
    ds = ds.shuffle(len(paths))
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(128, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--index", default="/data/inat/train.csv")
    parser.add_argument("--classes", type=int, default=10_000)
    parser.add_argument("--head", choices=HEADS, default="single")
    parser.add_argument("--fp16", action=argparse.BooleanOptionalAction, default=True)
    args = parser.parse_args()
    setup_precision(args)
    create_model(args).fit(species(args), epochs=40)


if __name__ == "__main__":
    main()
