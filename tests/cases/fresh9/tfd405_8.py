import tensorflow as tf


def augment(lr, hr):
    if tf.random.uniform([]) < 0.5:
        lr, hr = tf.image.flip_left_right(lr), tf.image.flip_left_right(hr)
    return lr, hr


class DIV2K:
    def __init__(self, folder, scale=4):
        self.lr = sorted(tf.io.gfile.glob(f"{folder}/lr_x{scale}/*.png"))
        self.hr = sorted(tf.io.gfile.glob(f"{folder}/hr/*.png"))

    def dataset(self, batch_size=16, repeat_count=None, training=True):
        ds = tf.data.Dataset.from_tensor_slices((self.lr, self.hr))
        ds = ds.map(lambda a, b: (self.read(a, 48), self.read(b, 192)), tf.data.AUTOTUNE)
        if training:
            ds = ds.shuffle(800).map(augment, tf.data.AUTOTUNE)
        ds = ds.batch(batch_size)
        ds = ds.repeat(repeat_count)
        return ds.prefetch(tf.data.AUTOTUNE)

    @staticmethod
    def read(path, size):
        image = tf.io.decode_png(tf.io.read_file(path), channels=3)
        image = tf.image.resize_with_crop_or_pad(image, size, size)
        return tf.cast(image, tf.float32) / 255.0


class SRTrainer:
    def __init__(self, model, ckpt_dir="ckpt/edsr"):
        self.model = model
        self.opt = tf.keras.optimizers.Adam(1e-4)
        self.ckpt = tf.train.CheckpointManager(
            tf.train.Checkpoint(model=model, opt=self.opt), ckpt_dir, max_to_keep=3)

    @tf.function
    def step(self, lr, hr):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(hr - self.model(lr, training=True)))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def fit(self, train, epochs):
        for epoch in range(epochs):
            mean = tf.keras.metrics.Mean()
            for lr, hr in train:
                mean.update_state(self.step(lr, hr))
            print(f"epoch {epoch}: {mean.result():.4f}")
            self.ckpt.save()


if __name__ == "__main__":
    x = inputs = tf.keras.Input((None, None, 3))
    for _ in range(8):
        x = tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu")(x)
    x = tf.keras.layers.Conv2D(48, 3, padding="same")(x)
    model = tf.keras.Model(inputs, tf.keras.layers.Lambda(lambda t: tf.nn.depth_to_space(t, 4))(x))
    SRTrainer(model).fit(DIV2K("/data/div2k").dataset(), epochs=300)
