"""AudioSet tagging with librosa front end."""
import functools

import librosa
import numpy as np
import pandas as pd
import tensorflow as tf

SR = 32000
CLIP = 10 * SR
N_CLASSES = 527


def eager_op(*out_types, shapes=None):
    """Lets a numpy function be used in a tf.data graph."""
    def deco(fn):
        @functools.wraps(fn)
        def op(*args):
            def host(*tensors):
                return fn(*[t.numpy() for t in tensors])
            out = tf.py_function(host, args, Tout=out_types)
            if shapes:
                for o, s in zip(out, shapes):
                    o.set_shape(s)
            return tuple(out)
        return op
    return deco


@eager_op(tf.float32, tf.float32, shapes=([128, 1001], [N_CLASSES]))
def clip_features(path, tags):
    wav, _ = librosa.load(path.decode(), sr=SR, mono=True)
    wav = librosa.util.fix_length(wav, size=CLIP)
    mel = librosa.feature.melspectrogram(y=wav, sr=SR, n_fft=1024, hop_length=320, n_mels=128)
    target = np.zeros(N_CLASSES, np.float32)
    target[np.fromstring(tags.decode(), dtype=int, sep=",")] = 1.0
    return librosa.power_to_db(mel).astype(np.float32), target


def loader(csv, batch, training=True):
    meta = pd.read_csv(csv)
    ds = tf.data.Dataset.from_tensor_slices((meta.wav.values, meta.tags.values))
    if training:
        ds = ds.shuffle(len(meta))
    ds = ds.map(clip_features, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=training).prefetch(tf.data.AUTOTUNE)


def tagger():
    inp = tf.keras.Input([128, 1001])
    x = inp[..., None]
    for f in (64, 128, 256, 512):
        x = tf.keras.layers.Conv2D(f, 3, padding="same", use_bias=False)(x)
        x = tf.keras.layers.BatchNormalization()(x)
        x = tf.keras.layers.AveragePooling2D()(tf.keras.layers.ReLU()(x))
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(N_CLASSES, activation="sigmoid")(x))


if __name__ == "__main__":
    model = tagger()
    model.compile(tf.keras.optimizers.Adam(1e-3), "binary_crossentropy",
                  metrics=[tf.keras.metrics.AUC(curve="PR", multi_label=True)])
    model.fit(loader("audioset/unbalanced_train.csv", 64),
              validation_data=loader("audioset/eval.csv", 64, training=False),
              epochs=20)
