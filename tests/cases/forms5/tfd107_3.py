import tensorflow as tf
import tensorflow_datasets as tfds

GLOBAL_BATCH = 1024
strategy = tf.distribute.MirroredStrategy()


def augment(example):
    image = tf.image.resize(example["image"], (256, 256))
    image = tf.image.random_crop(image, (224, 224, 3))
    return tf.cast(image, tf.float32) / 255.0, example["label"]


def dataset_fn(ctx):
    per_replica = ctx.get_per_replica_batch_size(GLOBAL_BATCH)
    ds = tfds.load("imagenet2012", split="train", shuffle_files=True)
    ds = ds.shard(ctx.num_input_pipelines, ctx.input_pipeline_id)
    ds = ds.repeat().shuffle(10_000)
    ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(per_replica, drop_remainder=True)
    # keep the GPUs busy
    ds = ds.prefetch(500)
    return ds


with strategy.scope():
    model = tf.keras.applications.EfficientNetB0(weights=None, classes=1000)
    model.compile(
        optimizer=tf.keras.optimizers.SGD(0.1, momentum=0.9),
        loss="sparse_categorical_crossentropy",
    )

train = strategy.distribute_datasets_from_function(dataset_fn)
model.fit(train, epochs=90, steps_per_epoch=1_281_167 // GLOBAL_BATCH)
