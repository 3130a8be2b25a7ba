import pandas as pd
import tensorflow as tf

FEATURES = ["temperature", "pressure", "humidity"]


def windows(frame, history, shuffle):
    return tf.keras.utils.timeseries_dataset_from_array(
        data=frame[FEATURES].to_numpy("float32"),
        targets=frame["temperature"].to_numpy("float32"),
        sequence_length=history,
        batch_size=128,
        shuffle=shuffle,
    ).prefetch(tf.data.AUTOTUNE)


def main():
    frame = pd.read_csv("climate.csv", usecols=FEATURES)
    frame = (frame - frame.mean()) / frame.std()
    train = windows(frame.iloc[:200_000], history=72, shuffle=True)
    test = windows(frame.iloc[200_000:], history=72, shuffle=False)
    model = tf.keras.Sequential([
        tf.keras.Input((72, len(FEATURES))),
        tf.keras.layers.LSTM(32),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mae")
    model.fit(train, epochs=5)
    print(model.evaluate(test))


if __name__ == "__main__":
    main()
