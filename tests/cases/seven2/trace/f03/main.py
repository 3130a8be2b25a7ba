import tensorflow as tf
from tensorflow.profiler import experimental as profiler

from feed import numbered_batches


def main():
    model = tf.keras.applications.EfficientNetV2B0(weights=None, classes=257)
    optimizer = tf.keras.optimizers.Adam()
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()

    @tf.function
    def train_step(images, labels):
        with tf.GradientTape() as tape:
            loss = loss_fn(labels, model(images, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    profiler.start("/tmp/caltech")
    for step, (images, labels) in numbered_batches("/data/caltech/*/*.jpg", 64, epochs=2):
        with profiler.Trace("train", step_num=step, _r=1):
            train_step(images, labels)
    profiler.stop()


if __name__ == "__main__":
    main()
