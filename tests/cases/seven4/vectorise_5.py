# %%
import tensorflow as tf

N_TRAIN, N_FEATURES, BATCH = 10_500_000, 28, 8192

# %%
higgs = tf.data.experimental.CsvDataset(
    "/data/higgs/HIGGS.csv.gz", [tf.float32] * (N_FEATURES + 1), compression_type="GZIP")


# %%
def pack_row(label, *columns):
    features = tf.stack(columns, -1)
    features = tf.where(tf.math.is_nan(features), tf.zeros_like(features), features)
    return tf.clip_by_value(features, -8.0, 8.0), label


# %%
train = (
    higgs
    .skip(500_000)
    .map(pack_row, num_parallel_calls=tf.data.AUTOTUNE)
    .shuffle(200_000)
    .batch(BATCH, drop_remainder=True)
    .prefetch(tf.data.AUTOTUNE)
)

# %%
net = tf.keras.Sequential([
    tf.keras.Input((N_FEATURES,)),
    *(tf.keras.layers.Dense(1024, activation="elu", kernel_regularizer="l2") for _ in range(4)),
    tf.keras.layers.Dense(1),
])
optimizer = tf.keras.optimizers.Adam(1e-3)


@tf.function(jit_compile=True)
def improve(x, y):
    with tf.GradientTape() as tape:
        logits = net(x, training=True)[:, 0]
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, logits)) + tf.add_n(net.losses)
    optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_weights), net.trainable_weights))
    return loss


# %%
for epoch in range(50):
    for n, (x, y) in enumerate(train):
        loss = improve(x, y)
        if not n % 200:
            print(f"{epoch:3d} {n:6d} {loss:.4f}")
