"""Video action recognition from sharded TFRecords (Kinetics-400 clips)."""
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
FRAMES, SIZE = 16, 112

CONTEXT = {"clip/label": tf.io.FixedLenFeature([], tf.int64)}
SEQUENCE = {"image/encoded": tf.io.FixedLenSequenceFeature([], tf.string)}


def parse_clip(rec):
    ctx, seq = tf.io.parse_single_sequence_example(rec, CONTEXT, SEQUENCE)
    jpgs = seq["image/encoded"]
    start = tf.maximum(0, (tf.shape(jpgs)[0] - FRAMES) // 2)
    jpgs = jpgs[start:start + FRAMES]
    clip = tf.map_fn(lambda j: tf.image.resize(tf.io.decode_jpeg(j, channels=3), [SIZE, SIZE]),
                     jpgs, fn_output_signature=tf.float32)
    clip = tf.pad(clip, [[0, FRAMES - tf.shape(clip)[0]], [0, 0], [0, 0], [0, 0]])
    return tf.ensure_shape(clip, [FRAMES, SIZE, SIZE, 3]) / 255.0, ctx["clip/label"]


def shard_to_clips(path):
    # One decoder per shard: interleave below runs 32 of these at once.
    return tf.data.TFRecordDataset(path, buffer_size=4 << 20).map(parse_clip)


def kinetics(pattern, batch_size, training):
    files = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = files.interleave(
        shard_to_clips,
        cycle_length=32,
        block_length=1,
        num_parallel_calls=32,
        deterministic=not training)
    if training:
        ds = ds.shuffle(1024).repeat()
    return ds.batch(batch_size, drop_remainder=training).prefetch(AUTOTUNE)


def c3d(classes=400):
    m = tf.keras.Sequential([tf.keras.layers.InputLayer((FRAMES, SIZE, SIZE, 3))])
    for ch, pool in ((64, (1, 2, 2)), (128, 2), (256, 2), (512, 2)):
        m.add(tf.keras.layers.Conv3D(ch, 3, padding="same", activation="relu"))
        m.add(tf.keras.layers.MaxPool3D(pool))
    m.add(tf.keras.layers.GlobalAveragePooling3D())
    m.add(tf.keras.layers.Dropout(0.5))
    m.add(tf.keras.layers.Dense(classes))
    return m


def main():
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = c3d()
        model.compile(tf.keras.optimizers.SGD(0.01, momentum=0.9),
                      tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                      metrics=["accuracy"])
    model.fit(kinetics("/data/k400/train-*", 128, True),
              validation_data=kinetics("/data/k400/val-*", 128, False),
              steps_per_epoch=1800, epochs=50)


if __name__ == "__main__":
    main()
