import tensorflow as tf

GLOBAL_BATCH = 1024
IMAGES = 1_281_167
strategy = tf.distribute.MultiWorkerMirroredStrategy()

DESCRIPTION = {
    "image/encoded": tf.io.FixedLenFeature((), tf.string),
    "image/class/label": tf.io.FixedLenFeature((), tf.int64),
}


def parse_and_decode(proto):
    parsed = tf.io.parse_single_example(proto, DESCRIPTION)
    image = tf.io.decode_image(parsed["image/encoded"], channels=3, expand_animations=False)
    image.set_shape([None, None, 3])
    image = tf.image.resize(image, [256, 256])
    image = tf.image.random_crop(image, [224, 224, 3])
    image = tf.image.random_flip_left_right(image)
    return image, tf.cast(parsed["image/class/label"], tf.int32) - 1


def dataset_fn(ctx):
    files = tf.io.gfile.glob("/imagenet/tfrecord/train-*")
    d = tf.data.Dataset.from_tensor_slices(sorted(files))
    d = d.shard(ctx.num_input_pipelines, ctx.input_pipeline_id)
    d = d.shuffle(1024)
    d = d.interleave(tf.data.TFRecordDataset, cycle_length=10,
                     num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    d = d.shuffle(10000).repeat()
    d = d.map(parse_and_decode)
    d = d.batch(ctx.get_per_replica_batch_size(GLOBAL_BATCH), drop_remainder=True)
    return d.prefetch(tf.data.AUTOTUNE)


with strategy.scope():
    model = tf.keras.applications.ResNet50(weights=None)
    optimizer = tf.keras.optimizers.SGD(0.4, momentum=0.9, nesterov=True)
    loss_obj = tf.keras.losses.SparseCategoricalCrossentropy(reduction="none")


@tf.function
def train_step(iterator):
    def replica(batch):
        x, y = batch
        with tf.GradientTape() as tape:
            per_example = loss_obj(y, model(x, training=True))
            loss = tf.nn.compute_average_loss(per_example, global_batch_size=GLOBAL_BATCH)
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    losses = strategy.run(replica, args=(next(iterator),))
    return strategy.reduce("SUM", losses, axis=None)


def main():
    iterator = iter(strategy.distribute_datasets_from_function(dataset_fn))
    for epoch in range(90):
        for _ in range(IMAGES // GLOBAL_BATCH):
            loss = train_step(iterator)
        print("epoch", epoch, "loss", float(loss))


main()
