import argparse

import tensorflow as tf

BATCH_SIZE = 64


def make_split(num_examples, seed, training):
    x = tf.random.stateless_uniform((num_examples, 32), seed=(seed, 1))
    y = tf.cast(tf.reduce_sum(x, axis=1) > 16.0, tf.int32)
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    if training:
        ds = ds.shuffle(num_examples).repeat()
    return ds.batch(BATCH_SIZE).prefetch(tf.data.AUTOTUNE)


def build():
    model = tf.keras.Sequential([
        tf.keras.Input((32,)),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(2),
    ])
    model.compile(
        optimizer=tf.keras.optimizers.Adam(1e-3),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--steps", type=int, default=200)
    args = parser.parse_args()

    train_ds = make_split(20000, seed=1, training=True)
    # 640 examples: ten batches for the validation
    val_ds = make_split(640, seed=2, training=False)

    model = build()
    history = model.fit(
        train_ds,
        epochs=args.epochs,
        steps_per_epoch=args.steps,
        validation_data=val_ds,
        validation_steps=50,
    )
    for epoch, loss in enumerate(history.history["val_loss"]):
        print(epoch, loss)


if __name__ == "__main__":
    main()
