import functools

import pandas as pd
import tensorflow as tf

COLUMNS = ("question", "answer", "score")


def column(frame, name, transforms):
    ds = tf.data.Dataset.from_tensor_slices(frame[name].to_numpy())
    for transform in transforms:
        ds = transform(ds)
    return ds


def reader(frame):
    mix = functools.partial(tf.data.Dataset.shuffle, buffer_size=len(frame))
    branches = []
    for name in COLUMNS:
        branches.append(column(frame, name, [mix]))
    return tf.data.Dataset.zip(tuple(branches))


def to_inputs(question, answer, score):
    return {"question": question, "answer": answer}, tf.cast(score, tf.float32)


def tower(vectorize, dim=64):
    return tf.keras.Sequential(
        [
            vectorize,
            tf.keras.layers.Embedding(20_000, dim, mask_zero=True),
            tf.keras.layers.GlobalAveragePooling1D(),
            tf.keras.layers.Dense(dim),
        ]
    )


class Matcher(tf.keras.Model):
    def __init__(self, vectorize):
        super().__init__()
        self.q = tower(vectorize)
        self.a = tower(vectorize)
        self.head = tf.keras.layers.Dot(axes=1, normalize=True)

    def call(self, inputs):
        return self.head([self.q(inputs["question"]), self.a(inputs["answer"])])


def main():
    frame = pd.read_parquet("qa_pairs.parquet")
    frame = frame.astype({"question": str, "answer": str, "score": "float32"})
    vectorize = tf.keras.layers.TextVectorization(20_000, output_sequence_length=64)
    vectorize.adapt(frame["question"].to_list() + frame["answer"].to_list())
    ds = reader(frame).batch(256).map(to_inputs, num_parallel_calls=tf.data.AUTOTUNE)
    model = Matcher(vectorize)
    model.compile("adam", "mse")
    model.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=8)


if __name__ == "__main__":
    main()
