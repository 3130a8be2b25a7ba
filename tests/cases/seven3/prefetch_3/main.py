import keras

from pipeline import InputConfig, make_dataset

TRAIN = InputConfig(pattern="/data/reviews/train-*.tsv")
VALID = InputConfig(pattern="/data/reviews/valid-*.tsv", batch_size=256)


def build_model(vocab_size):
    tokens = keras.Input((None,), dtype="int64")
    x = keras.layers.Embedding(vocab_size, 128, mask_zero=True)(tokens)
    x = keras.layers.Bidirectional(keras.layers.GRU(128))(x)
    x = keras.layers.Dropout(0.4)(x)
    return keras.Model(tokens, keras.layers.Dense(1, activation="sigmoid")(x))


def main():
    vectorizer = keras.layers.TextVectorization(
        output_sequence_length=TRAIN.max_len, vocabulary="/data/reviews/vocab.txt")
    model = build_model(vectorizer.vocabulary_size())
    model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["AUC"])
    model.fit(make_dataset(TRAIN, vectorizer, True),
              validation_data=make_dataset(VALID, vectorizer, False),
              epochs=8)
    model.save("/models/reviews.keras")


if __name__ == "__main__":
    main()
