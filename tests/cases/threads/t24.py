import tensorflow as tf

BATCH = 200
LATENT = 2

(train_images, _), (test_images, _) = tf.keras.datasets.mnist.load_data()
train_images = (train_images.reshape(-1, 784) / 255.0 > 0.5).astype("float32")
test_images = (test_images.reshape(-1, 784) / 255.0 > 0.5).astype("float32")


class Sampling(tf.keras.layers.Layer):
    def call(self, inputs):
        mean, logvar = inputs
        self.add_loss(-0.5 * tf.reduce_mean(
            tf.reduce_sum(1 + logvar - tf.square(mean) - tf.exp(logvar), axis=1)))
        return mean + tf.exp(0.5 * logvar) * tf.random.normal(tf.shape(mean))


inputs = tf.keras.Input((784,))
h = tf.keras.layers.Dense(200, activation="tanh")(inputs)
z = Sampling()([tf.keras.layers.Dense(LATENT)(h), tf.keras.layers.Dense(LATENT)(h)])
h = tf.keras.layers.Dense(200, activation="tanh")(z)
outputs = tf.keras.layers.Dense(784)(h)
vae = tf.keras.Model(inputs, outputs)


def recon_loss(true_vals, recon_logits):
    bce = tf.nn.sigmoid_cross_entropy_with_logits(labels=true_vals, logits=recon_logits)
    return tf.reduce_sum(bce, axis=1)


train_dataset = tf.data.Dataset.from_tensor_slices(train_images).shuffle(60000).batch(BATCH)
test_dataset = tf.data.Dataset.from_tensor_slices(test_images).batch(BATCH)

zipdata = tf.data.Dataset.zip((train_dataset, train_dataset)).prefetch(tf.data.AUTOTUNE)
ziptest = tf.data.Dataset.zip((test_dataset, test_dataset)).prefetch(tf.data.AUTOTUNE)

vae.compile(optimizer=tf.keras.optimizers.Adam(1e-3), loss=recon_loss)
vae.fit(zipdata, epochs=20, validation_data=ziptest)
