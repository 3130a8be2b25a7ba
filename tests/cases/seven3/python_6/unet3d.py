import tensorflow as tf

from volumes import PatchSampler

kwargs = dict(filters=32, kernel_size=3, padding="same", activation="relu")
net = tf.keras.Sequential([tf.keras.Input((64, 64, 64, 1))]
                          + [tf.keras.layers.Conv3D(**kwargs) for _ in range(5)]
                          + [tf.keras.layers.Conv3D(4, 1)])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(1e-4)


@tf.function
def update(sample):
    with tf.GradientTape() as tape:
        loss = loss_fn(sample["seg"], net(sample["scan"], training=True))
    gradients = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(gradients, net.trainable_variables))
    return loss


def main():
    sampler = PatchSampler("/data/brats/train.h5")
    loader = tf.data.Dataset.from_generator(sampler.patches, output_signature=sampler.signature)
    loader = loader.shuffle(256).batch(4, drop_remainder=True).prefetch(2)
    for epoch in range(100):
        for sample in loader:
            loss = update(sample)
        print(f"{epoch:03d} {float(loss):.4f}")


if __name__ == "__main__":
    main()
