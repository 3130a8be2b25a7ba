"""Data that are made up where they are missing.

A missing file is replaced by the name of another one when a dataset is made of it. What is to be in it shows later: by
then the mapped functions have been traced, and their graphs say what is parsed and decoded. So the files are written at
the last moment, before something is consumed.
"""

from __future__ import annotations

import glob
import importlib
import os
import re
import struct
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from . import places
from .run import Run

FILES = 4
RECORDS = 64
#: So many in a file, if they are not too large: a pass over them should outlast its observation.
MOST_RECORDS, FILE_BYTES = 1024, 16 * 2**20
RECORD_FILE, TEXT, FIXED, IMAGE = "records", "text", "fixed-length records", "images"
_IMAGES = {".jpg": "jpeg", ".jpeg": "jpeg", ".png": "png", ".bmp": "bmp"}
_TEXTS = (".txt", ".csv", ".tsv", ".names", ".vocab", ".json", ".jsonl")
#: What a decoder takes.
_DECODERS = {
    "DecodeJpeg": "jpeg", "DecodeAndCropJpeg": "jpeg", "DecodeImage": "jpeg", "DecodePng": "png", "DecodeBmp": "bmp",
    "DecodeRaw": "raw", "DecodePaddedRaw": "raw", "ParseTensor": "tensor", "DecodeCSV": "csv",
    "StringToNumber": "number",
}  # fmt: skip
_CALLS = ("PartitionedCall", "StatefulPartitionedCall")
_PARSERS = ("ParseExampleV2", "ParseSingleExample")
_DEPTH = 6

_glob = glob.glob


class Synthetic:
    """Stand-ins for missing files, and what is to be in them."""

    def __init__(self, run: Run, folder: str) -> None:
        self._run = run
        self._folder = folder
        self._wanted: dict[str, str] = {}
        """Stand-in → the missing path."""
        self._kinds: dict[str, str] = {}
        """What is known from how a stand-in was used."""
        self._written: set[str] = set()

    def install(self, tensorflow: Any) -> None:
        self._tensorflow = tensorflow
        datasets = {
            importlib.import_module("tensorflow.python.data.ops.dataset_ops").DatasetV2,
            tensorflow.data.Dataset,
        }
        readers = importlib.import_module("tensorflow.python.data.ops.readers")
        for dataset in datasets:
            self._replace(dataset, "list_files", "file_pattern", static=True)
            self._replace(dataset, "from_tensor_slices", "tensors", static=True)
        self._replace(readers.TFRecordDatasetV2, "__init__", "filenames", at=1, kind=RECORD_FILE)
        self._replace(readers.TextLineDatasetV2, "__init__", "filenames", at=1, kind=TEXT)
        self._replace(readers.FixedLengthRecordDatasetV2, "__init__", "filenames", at=1, kind=FIXED)
        self._replace(tensorflow.lookup.TextFileInitializer, "__init__", "filename", at=1, kind=TEXT)
        self._replace_glob(tensorflow.io.gfile)
        self._replace_glob(glob)

    def install_keras(self) -> None:
        """Folders of pictures: `image_dataset_from_directory` lists them here."""
        names = ("keras.src.utils.dataset_utils", "keras.utils.dataset_utils")
        utils: Any = next((sys.modules[name] for name in names if name in sys.modules), None)
        if utils is None:
            return
        original = utils.index_directory

        def index_directory(directory: Any, *arguments: Any, **keywords: Any) -> Any:
            if not os.path.exists(directory):
                pattern = os.path.join(os.fspath(directory), "*", "*.jpg")
                self._stand_ins(pattern, listing=True)
                self.fulfil()
                directory = self._name(os.fspath(directory))
            return original(directory, *arguments, **keywords)

        utils.index_directory = index_directory

    def install_datasets(self, tfds: Any) -> None:
        """What TensorFlow Datasets has not got here it can mock itself."""
        original = tfds.load

        def load(name: str, *arguments: Any, **keywords: Any) -> Any:
            try:
                return original(name, *arguments, **{"download": False, **keywords})
            except Exception:
                self._run.wire.tell("synthetic", what=f"the mock of TensorFlow Datasets in place of {name}")
                with tfds.testing.mock_data(num_examples=RECORDS):
                    return original(name, *arguments, **keywords)

        tfds.load = load

    def fulfil(self) -> None:
        """Write the files that are missing by now."""
        missing = {name: path for name, path in self._wanted.items() if name not in self._written}
        if not missing:
            return
        learned = Learned(self._tensorflow, self._run.recorder.functions())
        writer = Writer(self._tensorflow, learned, self._run.recorder)
        kinds: dict[str, int] = {}
        for name, path in missing.items():
            kind = self._kinds.get(name) or self._kind(path, learned)
            writer.write(name, kind)
            self._written.add(name)
            kinds[f"{kind} in place of {path}"] = kinds.get(f"{kind} in place of {path}", 0) + 1
        for what, count in kinds.items():
            self._run.wire.tell("synthetic", what=f"{count} {'file' if count == 1 else 'files'} of {what}")

    # ── names ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def _replace(
        self, owner: Any, name: str, parameter: str, at: int = 0, static: bool = False, kind: str = ""
    ) -> None:
        """Have the files that are named in an argument stood in for, if they are missing."""
        original = getattr(owner, name)
        listing = name == "list_files"

        def replaced(*arguments: Any, **keywords: Any) -> Any:
            given = list(arguments)
            if len(given) > at:
                given[at] = self._stand_ins(given[at], listing, kind)
            if parameter in keywords:
                keywords[parameter] = self._stand_ins(keywords[parameter], listing, kind)
            if parameter == "filename":
                # A table reads its file at once.
                self.fulfil()
            return original(*given, **keywords)

        setattr(owner, name, staticmethod(replaced) if static else replaced)

    def _replace_glob(self, module: Any) -> None:
        original = module.glob

        def replaced(pattern: Any, *arguments: Any, **keywords: Any) -> Any:
            found = original(pattern, *arguments, **keywords)
            if found or not places.is_user_file(sys._getframe(1).f_code.co_filename):
                return found
            stood_in = self._stand_ins(pattern, listing=True)
            return found if stood_in is pattern else stood_in

        module.glob = replaced

    def _stand_ins(self, named: Any, listing: bool = False, kind: str = "") -> Any:
        """The same, with stand-ins for the paths that lead nowhere."""
        if isinstance(named, tuple):
            return tuple(self._stand_ins(part) for part in named)
        paths = _paths(named)
        if not paths or not all(_is_like_a_path(path) for path in paths):
            return named
        if any(_glob(path) if listing else os.path.exists(path) for path in paths):
            return named
        found = [self._stand_in(name, path) for path in paths for name in (_listed(path) if listing else [path])]
        self._kinds.update(dict.fromkeys(found, kind) if kind else {})
        return found[0] if isinstance(named, str) and not listing else found

    def _stand_in(self, name: str, path: str) -> str:
        stand_in = self._name(name)
        self._wanted[stand_in] = path
        # It has to be found even before it is known what is to be in it.
        os.makedirs(os.path.dirname(stand_in), exist_ok=True)
        with open(stand_in, "ab"):
            return stand_in

    def _name(self, path: str) -> str:
        return os.path.join(self._folder, re.sub(r"^[A-Za-z]:|^[/\\]+|^\w+://|\.\.", "", path))

    def _kind(self, path: str, learned: Learned) -> str:
        """By its name, else by who might read it."""
        ending = os.path.splitext(path)[1].lower()
        ops = self._run.recorder.operations
        if ending in _IMAGES:
            return IMAGE
        if ending in _TEXTS:
            return TEXT
        if "tfrec" in path or "TFRecord" in ops:
            return RECORD_FILE
        if "FixedLengthRecord" in ops:
            return FIXED
        return IMAGE if learned.read and "TextLine" not in ops else TEXT


def _paths(named: Any) -> list[str] | None:
    """Paths as strings: of a string, a list, a tensor of strings; None for anything else."""
    if hasattr(named, "numpy"):
        try:
            named = named.numpy()
        except (AttributeError, NotImplementedError):
            # Inside a graph nobody knows it yet.
            return None
    if hasattr(named, "tolist"):
        named = named.tolist()
    many = list(named) if isinstance(named, (list, tuple)) else [named]
    texts = [path.decode("utf-8", "replace") if isinstance(path, bytes) else path for path in many]
    texts = [os.fspath(path) if hasattr(path, "__fspath__") else path for path in texts]
    return texts if all(isinstance(path, str) for path in texts) else None


def _is_like_a_path(text: str) -> bool:
    return bool(re.fullmatch(r"[^\n<>|]*(?:[/\\][^\n]*|\.[A-Za-z]\w{1,9})", text)) and len(text) < 512


def _listed(pattern: str) -> list[str]:
    """Files that a pattern could have matched: in several folders, where it asks for any folder."""
    folder, name = os.path.split(pattern)
    names = [re.sub(r"\*+|\?+|\[.*?\]", str(number), name) for number in range(FILES)]
    if not glob.has_magic(name):
        names = [name]
    folders = (
        [re.sub(r"\*+|\?+|\[.*?\]", letter, folder) for letter in ("a", "b")] if glob.has_magic(folder) else [folder]
    )
    return [os.path.join(f, n) for f in folders for n in names]


# ── what the graphs tell ────────────────────────────────────────────────────────────────────────────────────────────


class Learned:
    """What the mapped functions parse and decode."""

    def __init__(self, tensorflow: Any, graphs: Sequence[Any]) -> None:
        self._tensorflow = tensorflow
        self.features: dict[str, dict[str, Any]] = {}
        """By key: kind, type, shape, and what its strings are decoded as."""
        self.read = ""
        """What the content of whole files is decoded as."""
        self.columns: list[str] = []
        """The types of the columns of CSV lines."""
        for graph in graphs:
            self._learn(graph.as_graph_def())

    def _learn(self, definition: Any) -> None:
        library = {function.signature.name: function for function in definition.library.function}
        bodies = [definition.node, *(function.node_def for function in library.values())]
        for nodes in bodies:
            for node in nodes:
                if node.op in _PARSERS:
                    self._learn_parser(node, nodes, library)
                elif node.op == "ReadFile":
                    self.read = (_decoded(nodes, node.name, library) or {"as": ""})["as"] or self.read
                elif node.op == "DecodeCSV":
                    self.columns = [self._name(kind) for kind in node.attr["OUT_TYPE"].list.type]

    def _learn_parser(self, node: Any, nodes: Any, library: Any) -> None:
        if node.op == "ParseSingleExample":
            dense = [key.decode() for key in node.attr["dense_keys"].list.s]
            sparse = [key.decode() for key in node.attr["sparse_keys"].list.s]
        else:
            constants = {n.name: n for n in nodes if n.op == "Const"}
            sparse, dense = (self._strings(constants.get(node.input[i].split(":")[0])) for i in (2, 3))
        kinds = [self._name(kind) for kind in node.attr["Tdense"].list.type]
        shapes = [[size.size for size in shape.dim] for shape in node.attr["dense_shapes"].list.shape]
        for number, key in enumerate(dense):
            kind, shape = kinds[number], shapes[number]
            # In a graph an output is `name:7`, in the body of a function `name:dense_values:2`.
            index = 3 * len(sparse) + number
            names = (f"{node.name}:{index}" if index else node.name, f"{node.name}:dense_values:{number}")
            found = (_decoded(nodes, name, library) for name in names if kind == "string")
            self.features[key] = {"type": kind, "shape": shape, "decoded": next(filter(None, found), None)}
        for number, kind in enumerate(node.attr["sparse_types"].list.type):
            self.features[sparse[number]] = {"type": self._name(kind), "shape": [2], "decoded": None}

    def _strings(self, constant: Any) -> list[str]:
        if constant is None:
            return []
        values = self._tensorflow.make_ndarray(constant.attr["value"].tensor).ravel().tolist()
        return [value.decode() for value in values]

    def _name(self, kind: int) -> str:
        name: str = self._tensorflow.dtypes.as_dtype(kind).name
        return name


def _decoded(nodes: Any, reference: str, library: Any, depth: int = 0) -> dict[str, Any] | None:
    """What a string output ends up in: followed through identities, reshapes and calls."""
    for node in nodes:
        inputs = [re.sub(r":0$", "", name.lstrip("^")) for name in node.input]
        wanted = re.sub(r":0$", "", reference)
        if wanted not in inputs:
            continue
        if node.op in _DECODERS:
            kind = node.attr["out_type"].type if "out_type" in node.attr else 0
            return {"as": _DECODERS[node.op], "type": kind, "shape": _reshaped(nodes, node.name)}
        found = None
        if node.op in _CALLS and depth < _DEPTH:
            function = library.get(node.attr["f"].func.name)
            if function is not None:
                argument = function.signature.input_arg[inputs.index(wanted)].name
                found = _decoded(function.node_def, argument, library, depth + 1)
        elif depth < _DEPTH and node.op in ("Identity", "Reshape", "ReadFile", "Squeeze"):
            found = _decoded(nodes, node.name, library, depth + 1) or _decoded(
                nodes, f"{node.name}:{'contents' if node.op == 'ReadFile' else 'output'}", library, depth + 1
            )
        if found:
            return found
    return None


def _reshaped(nodes: Any, name: str) -> list[int] | None:
    for node in nodes:
        if node.op == "Reshape" and node.input[0].split(":")[0] == name:
            shape = next((n for n in nodes if n.name == node.input[1].split(":")[0] and n.op == "Const"), None)
            if shape is not None:
                make: Any = importlib.import_module("tensorflow").make_ndarray
                sizes: list[int] = make(shape.attr["value"].tensor).tolist()
                return sizes
    return None


# ── content ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Writer:
    """Writes files of a kind."""

    def __init__(self, tensorflow: Any, learned: Learned, recorder: Any) -> None:
        self._tensorflow = tensorflow
        self._learned = learned
        self._recorder = recorder
        self._numpy: Any = importlib.import_module("numpy")
        self._records = ""

    def write(self, path: str, kind: str) -> None:
        if kind == RECORD_FILE:
            self._write_records(path)
            return
        with open(path, "wb") as file:
            file.writelines(self._content(path, kind))

    def _content(self, path: str, kind: str) -> Iterator[bytes]:
        if kind == IMAGE:
            ending = os.path.splitext(path)[1].lower()
            yield self._image(
                self._learned.read if self._learned.read in _IMAGES.values() else _IMAGES.get(ending, "jpeg")
            )
        elif kind == FIXED:
            size = self._recorder.record_bytes
            yield bytes(size * _count(size))
        else:
            line = self._line()
            for number in range(MOST_RECORDS if line else RECORDS):
                yield line or f"synthetic {number}\n".encode()

    def _line(self) -> bytes:
        cells = ["synthetic" if kind == "string" else "1" for kind in self._learned.columns]
        return (",".join(cells) + "\n").encode() if cells else b""

    def _write_records(self, path: str) -> None:
        if self._records:
            # They are all alike.
            os.remove(path)
            os.link(self._records, path)
            return
        self._records = path
        train = self._tensorflow.train
        features = {key: self._feature(feature) for key, feature in self._learned.features.items()}
        record = train.Example(features=train.Features(feature=features)).SerializeToString()
        compression = self._recorder.compression
        with self._tensorflow.io.TFRecordWriter(path, compression) as writer:
            for _ in range(_count(len(record))):
                writer.write(record)

    def _feature(self, feature: dict[str, Any]) -> Any:
        train = self._tensorflow.train
        count = int(self._numpy.prod([max(1, size) for size in feature["shape"]]))
        if feature["type"] == "string":
            return train.Feature(bytes_list=train.BytesList(value=[self._string(feature["decoded"])] * count))
        if feature["type"] == "int64":
            return train.Feature(int64_list=train.Int64List(value=[1] * count))
        return train.Feature(float_list=train.FloatList(value=[0.5] * count))

    def _string(self, decoded: dict[str, Any] | None) -> bytes:
        kind = decoded["as"] if decoded else ""
        if kind in _IMAGES.values():
            return self._image(kind)
        if kind == "number":
            return b"1"
        if kind == "csv":
            return self._line().strip()
        if decoded is None or kind not in ("raw", "tensor"):
            # The first line of a text file that is made up: a table made of it knows the word.
            return b"synthetic 0"
        dtype = self._tensorflow.dtypes.as_dtype(decoded["type"])
        sizes = [size for size in decoded["shape"] or [1024] if size > 0]
        if kind == "tensor":
            tensor: bytes = self._tensorflow.io.serialize_tensor(self._tensorflow.zeros(sizes, dtype)).numpy()
            return tensor
        return bytes(int(self._numpy.prod(sizes)) * dtype.size)

    def _image(self, kind: str) -> bytes:
        """A picture that is neither flat nor noise, so that decoding it takes as long as usual."""
        numpy = self._numpy
        y, x = numpy.mgrid[0:256, 0:256]
        pixels = numpy.stack([(x + y) % 256, x * 2 % 256, y * 3 % 256], -1).astype("uint8")
        pixels ^= numpy.random.default_rng(0).integers(0, 24, pixels.shape).astype("uint8")
        if kind == "bmp":
            return _bitmap(pixels)
        encode = self._tensorflow.io.encode_png if kind == "png" else self._tensorflow.io.encode_jpeg
        encoded: bytes = encode(self._tensorflow.constant(pixels)).numpy()
        return encoded


def _count(size: int) -> int:
    """How many records of this size a file has."""
    return max(RECORDS, min(MOST_RECORDS, FILE_BYTES // size))


def _bitmap(pixels: Any) -> bytes:
    height, width, _ = pixels.shape
    size = pixels.size
    head = struct.pack("<2sIHHI", b"BM", 54 + size, 0, 0, 54)
    head += struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, size, 0, 0, 0, 0)
    return head + bytes(pixels[::-1, :, ::-1].tobytes())
