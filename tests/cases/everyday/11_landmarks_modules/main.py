import tensorflow as tf

from config import TrainConfig
from data import build_dataset


def build_model(config: TrainConfig) -> tf.keras.Model:
    backbone = tf.keras.applications.ResNet50V2(
        include_top=False, weights=None, pooling="avg", input_shape=(*config.data.image_shape, 3)
    )
    outputs = tf.keras.layers.Dense(config.num_classes)(backbone.output)
    return tf.keras.Model(backbone.input, outputs)


def main():
    config = TrainConfig()
    train_ds = build_dataset(config.data, "train")
    val_ds = build_dataset(config.data, "validation")

    model = build_model(config)
    model.compile(
        optimizer=tf.keras.optimizers.SGD(config.learning_rate, momentum=0.9, nesterov=True),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    callbacks = [
        tf.keras.callbacks.TensorBoard(config.log_dir),
        tf.keras.callbacks.ModelCheckpoint(config.log_dir + "/best", save_best_only=True),
        tf.keras.callbacks.ReduceLROnPlateau(patience=2),
    ]
    model.fit(train_ds, validation_data=val_ds, epochs=config.epochs, callbacks=callbacks)


if __name__ == "__main__":
    main()
