import functools
import io
import tarfile

import keras
import numpy as np
import tensorflow as tf

TARS = [f"/data/cc3m/{i:05d}.tar" for i in range(332)]


def members(paths, seed=0):
    rng = np.random.default_rng(seed)
    for path in rng.permutation(paths):
        with tarfile.open(str(path)) as tar:
            for member in tar:
                if member.name.endswith(".npz"):
                    data = np.load(io.BytesIO(tar.extractfile(member).read()))
                    yield data["image"], data["caption"]


LOADERS = {
    "tar": lambda paths: tf.data.Dataset.from_generator(
        functools.partial(members, paths, seed=5),
        output_signature=(tf.TensorSpec((224, 224, 3), tf.uint8), tf.TensorSpec((64,), tf.int32))),
    "records": lambda paths: tf.data.TFRecordDataset(paths, num_parallel_reads=tf.data.AUTOTUNE),
}


def scale(images, captions):
    return {"image": tf.cast(images, tf.float32) / 255.0, "tokens": captions[:, :-1]}, captions[:, 1:]


def captioner(vocab=20_000, width=512):
    image = keras.Input((224, 224, 3), name="image")
    tokens = keras.Input((63,), dtype="int32", name="tokens")
    seen = keras.applications.ResNet50(include_top=False, weights=None, pooling="avg")(image)
    state = keras.layers.Dense(width, activation="tanh")(seen)
    words = keras.layers.Embedding(vocab, width)(tokens)
    hidden = keras.layers.GRU(width, return_sequences=True)(words, initial_state=state)
    return keras.Model({"image": image, "tokens": tokens}, keras.layers.Dense(vocab)(hidden))


pairs = LOADERS["tar"](TARS)
pairs = pairs.shuffle(1000).batch(96, drop_remainder=True)
pairs = pairs.map(scale, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
model = captioner()
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(pairs, epochs=12)
