import pandas as pd
import tensorflow as tf

TRAIN_FILE = "Learning Data Input/TrainingData.csv"
TARGET = "category"


def data_preprocessing():
    pandas_data = pd.read_csv(TRAIN_FILE, delimiter=";", dtype="string")
    for column in pandas_data.columns:
        # empty cells of the spreadsheet
        pandas_data.loc[pandas_data[column].str.strip() == "", column] = pd.NA

    target = pandas_data.pop(TARGET)
    codes = target.astype("category").cat.codes.to_numpy()

    dataset = tf.data.Dataset.from_tensor_slices((pandas_data.values, codes))
    return dataset, len(pandas_data), pandas_data.shape[1], int(codes.max()) + 1


def build_model(vectorize, columns, classes):
    inputs = tf.keras.Input((columns,), dtype=tf.string)
    x = vectorize(inputs)
    x = tf.keras.layers.Embedding(vectorize.vocabulary_size(), 16)(x)
    x = tf.keras.layers.Flatten()(x)
    outputs = tf.keras.layers.Dense(classes)(x)
    return tf.keras.Model(inputs, outputs)


def main():
    dataset, rows, columns, classes = data_preprocessing()
    train = dataset.shuffle(rows).batch(64).prefetch(tf.data.AUTOTUNE)

    lookup = tf.keras.layers.StringLookup()
    lookup.adapt(train.map(lambda x, y: x))

    model = build_model(lookup, columns, classes)
    model.compile(
        optimizer="adam",
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(train, epochs=15)


if __name__ == "__main__":
    main()
