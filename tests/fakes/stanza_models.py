"""A folder of Stanza models as its hub lays it out: a tiny English tokenizer, its weights set by hand."""

import json
from pathlib import Path

import pytest

ARGUMENTS = {
    "lang": "en", "shorthand": "en_tiny", "mode": "predict", "skip_newline": False, "use_dictionary": False,
    "feat_funcs": ["space_before", "capitalized", "numeric", "end_of_para", "start_of_para"], "feat_dim": 5,
    "emb_dim": 4, "hidden_dim": 4, "rnn_layers": 1, "conv_res": None, "hierarchical": False, "hier_invtemp": 0.5,
    "dropout": 0.0, "feat_dropout": 0.0, "tok_noise": 0.0, "use_mwt": False, "charlm_forward_file": None,
    "lr0": 0.002, "weight_decay": 0.0, "batch_size": 32, "max_seqlen": 100,
}  # fmt: skip


STOPS = ".!?"
LETTERS = " abcdefghijklmnopqrstuvwxyz,'\"0123456789"


def write_models(folder: Path) -> Path:
    """A folder that `STANZA_RESOURCES_DIR` can name. English is there; French is known and not there.

    The network says of each character that it ends a token, and of ".", "!" and "?" that they end a sentence.
    """
    pytest.importorskip("stanza", reason="the extra `stanza` is not installed")
    import torch
    from stanza.models.tokenization.trainer import Trainer
    from stanza.models.tokenization.vocab import Vocab

    vocab = Vocab([[(character, 0) for character in STOPS + LETTERS]], "en")
    trainer = Trainer({**ARGUMENTS, "vocab_size": len(vocab)}, vocab=vocab, device="cpu")
    network = trainer.model
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.zero_()
        network.embeddings.weight[:, 0] = -1
        network.embeddings.weight[[vocab.unit2id(stop) for stop in STOPS], 0] = 1
        # Gates in the order input, forget, cell, output: all is let in, nothing is kept, all is let out.
        size = ARGUMENTS["hidden_dim"]
        network.rnn.bias_ih_l0[:] = torch.tensor([9.0, -9.0, 0.0, 9.0]).repeat_interleave(size)
        network.rnn.weight_ih_l0[2 * size, 0] = 9
        network.tok_clf.bias[:] = 9
        network.sent_clf.weight[0, 0] = 9
    path = folder / "en" / "tokenize" / "tiny.pt"
    path.parent.mkdir(parents=True)
    trainer.save(str(path))
    known = {"tokenize": {"tiny": {}}, "packages": {"default": {"tokenize": "tiny"}}}
    catalogue = {"en": {**known, "lang_name": "English"}, "fr": {**known, "lang_name": "French"}}
    (folder / "resources.json").write_text(json.dumps(catalogue), encoding="utf-8")
    return folder
