import tensorflow as tf

SPEC = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    ex = tf.io.parse_single_example(record, SPEC)
    image = tf.io.decode_jpeg(ex["image"], channels=3)
    return tf.image.resize(image, (224, 224)), ex["label"]


def make_dataset_fn(pattern, global_batch):
    def dataset_fn(ctx):
        files = tf.data.Dataset.list_files(pattern, shuffle=False)
        files = files.shard(ctx.num_input_pipelines, ctx.input_pipeline_id)
        files = files.shuffle(1024)
        ds = files.interleave(
            tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(10_000).repeat()
        ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(ctx.get_per_replica_batch_size(global_batch), drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)

    return dataset_fn


def main():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        model = tf.keras.applications.ResNet50(weights=None, classes=1000)
        model.compile("sgd", "sparse_categorical_crossentropy")
    fn = make_dataset_fn("gs://imagenet/train-*.tfrecord", 2048)
    train = strategy.distribute_datasets_from_function(fn)
    model.fit(train, epochs=90, steps_per_epoch=625)


if __name__ == "__main__":
    main()
