import tensorflow as tf
import tensorflow_datasets as tfds

BATCH = 512
strategy = tf.distribute.MirroredStrategy()


def prepare(image, label):
    return tf.image.resize(image, (160, 160)) / 255.0, label


train = tfds.load("stanford_dogs", split="train", as_supervised=True, shuffle_files=True)
train = train.shuffle(12_000).map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
train = strategy.experimental_distribute_dataset(train)

with strategy.scope():
    model = tf.keras.applications.MobileNetV2((160, 160, 3), weights=None, classes=120)
    optimizer = tf.keras.optimizers.Adam()
    loss_object = tf.keras.losses.SparseCategoricalCrossentropy(reduction="none")


def replica_step(inputs):
    images, labels = inputs
    with tf.GradientTape() as tape:
        per_example = loss_object(labels, model(images, training=True))
        loss = tf.reduce_sum(per_example) / BATCH
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def train_step(inputs):
    losses = strategy.run(replica_step, args=(inputs,))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)


def main(epochs=60):
    for epoch in range(epochs):
        for batch in train:
            loss = train_step(batch)
        print(epoch, float(loss))


if __name__ == "__main__":
    main()
