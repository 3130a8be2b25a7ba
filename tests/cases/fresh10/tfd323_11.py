"""Action recognition with a callback that reports per-class recall."""
import collections

import tensorflow as tf

FRAMES, SIZE = 16, 112


def parse(raw):
    ex = tf.io.parse_single_example(raw, {
        "clip": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    clip = tf.io.decode_raw(ex["clip"], tf.uint8)
    clip = tf.reshape(clip, (FRAMES, SIZE, SIZE, 3))
    return tf.cast(clip, tf.float32) / 255.0, ex["label"]


def clips(split):
    files = tf.data.Dataset.list_files(f"/data/ucf101/{split}-*.tfrecord",
                                       shuffle=split == "train")
    return files.interleave(tf.data.TFRecordDataset).map(
        parse, num_parallel_calls=tf.data.AUTOTUNE)


class RecallReport(tf.keras.callbacks.Callback):
    def __init__(self, clip_ds):
        super().__init__()
        self.clip_ds = clip_ds

    def on_epoch_end(self, epoch, logs=None):
        hit, seen = collections.Counter(), collections.Counter()
        for clip, label in self.clip_ds:
            scores = self.model(clip[tf.newaxis], training=False)
            guess = int(tf.argmax(scores[0]))
            label = int(label)
            seen[label] += 1
            hit[label] += guess == label
        recalls = [hit[k] / seen[k] for k in seen]
        print(f"epoch {epoch}: mean recall {sum(recalls) / len(recalls):.3f}")


def build():
    return tf.keras.Sequential([
        tf.keras.layers.Input((FRAMES, SIZE, SIZE, 3)),
        tf.keras.layers.Conv3D(32, 3, activation="relu"),
        tf.keras.layers.MaxPool3D(),
        tf.keras.layers.Conv3D(64, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling3D(),
        tf.keras.layers.Dense(101, activation="softmax"),
    ])


if __name__ == "__main__":
    train = clips("train").shuffle(2000).batch(16).prefetch(tf.data.AUTOTUNE)
    model = build()
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(train, epochs=40, callbacks=[RecallReport(clips("test"))])
