import time

import tensorflow as tf

RECORDS = 'data/pets/train.tfrecord'
CHECKPOINTS = './ckpt/pets'
NUM_CLASSES = 37
EPOCHS = 25

feature_description = {
    'image': tf.io.FixedLenFeature([], tf.string),
    'label': tf.io.FixedLenFeature([], tf.int64),
    'bbox': tf.io.FixedLenFeature([4], tf.float32),
}


def parse_example(serialized):
    example = tf.io.parse_single_example(serialized, feature_description)
    image = tf.image.decode_jpeg(example['image'], channels=3)
    boxes = tf.expand_dims(example['bbox'], 0)
    image = tf.image.crop_and_resize(tf.expand_dims(image, 0), boxes, [0], [160, 160])
    return tf.squeeze(image, 0) / 255., example['label']


dataset = tf.data.TFRecordDataset(RECORDS)
dataset = dataset.map(parse_example)
dataset = dataset.shuffle(2000)
dataset = dataset.batch(32)

model = tf.keras.Sequential([
    tf.keras.applications.MobileNetV2(include_top=False, pooling='avg', input_shape=(160, 160, 3)),
    tf.keras.layers.Dense(NUM_CLASSES),
])
optimizer = tf.keras.optimizers.Adam(1e-4)
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
train_loss = tf.keras.metrics.Mean('loss')
train_accuracy = tf.keras.metrics.SparseCategoricalAccuracy('accuracy')

ckpt = tf.train.Checkpoint(step=tf.Variable(0), optimizer=optimizer, net=model)
manager = tf.train.CheckpointManager(ckpt, CHECKPOINTS, max_to_keep=3)
ckpt.restore(manager.latest_checkpoint)
if manager.latest_checkpoint:
    print('Restored from {}'.format(manager.latest_checkpoint))


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        logits = model(images, training=True)
        loss = loss_object(labels, logits)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    train_loss(loss)
    train_accuracy(labels, logits)


for epoch in range(EPOCHS):
    start = time.time()
    train_loss.reset_states()
    train_accuracy.reset_states()
    for images, labels in dataset:
        train_step(images, labels)
        ckpt.step.assign_add(1)
        if int(ckpt.step) % 200 == 0:
            print('step {}: saved {}'.format(int(ckpt.step), manager.save()))
    print('epoch {}: loss {:.4f}, accuracy {:.4f} ({:.1f} s)'.format(
        epoch, train_loss.result(), train_accuracy.result(), time.time() - start))
