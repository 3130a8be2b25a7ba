"""Runs on every worker; TF_CONFIG is set by the scheduler."""
import os

import tensorflow as tf

PATTERN = os.environ.get('RECORDS', '/mnt/data/imagenet/train-*')
PER_WORKER_BATCH = 128
STEPS_PER_EPOCH = 1251
EPOCHS = 90

strategy = tf.distribute.MultiWorkerMirroredStrategy()


def parse(record):
    features = tf.io.parse_single_example(record, {
        'image/encoded': tf.io.FixedLenFeature([], tf.string),
        'image/class/label': tf.io.FixedLenFeature([], tf.int64)})
    image = tf.image.decode_jpeg(features['image/encoded'], channels=3, dct_method='INTEGER_FAST')
    image = tf.image.resize(image, [224, 224])
    image -= tf.constant([123.68, 116.78, 103.94])
    return image, features['image/class/label'] - 1


def make_dataset_fn(pattern):
    def dataset_fn(context):
        files = tf.data.Dataset.list_files(pattern, shuffle=False)
        files = files.shard(context.num_input_pipelines, context.input_pipeline_id)
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=10, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(10000).repeat()
        ds = ds.map(parse)
        return ds.batch(context.get_per_replica_batch_size(PER_WORKER_BATCH * strategy.num_replicas_in_sync))

    return dataset_fn


dist_dataset = strategy.distribute_datasets_from_function(make_dataset_fn(PATTERN))

with strategy.scope():
    model = tf.keras.applications.ResNet50(weights=None)
    optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)
    train_loss = tf.keras.metrics.Mean()


@tf.function
def train_step(iterator):
    def step_fn(inputs):
        images, labels = inputs
        with tf.GradientTape() as tape:
            predictions = model(images, training=True)
            losses = tf.keras.losses.sparse_categorical_crossentropy(labels, predictions)
            loss = tf.nn.compute_average_loss(losses)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        train_loss.update_state(losses)

    strategy.run(step_fn, args=(next(iterator),))


iterator = iter(dist_dataset)
for epoch in range(EPOCHS):
    for _ in range(STEPS_PER_EPOCH):
        train_step(iterator)
    print('epoch', epoch, 'loss', train_loss.result().numpy())
    train_loss.reset_states()
