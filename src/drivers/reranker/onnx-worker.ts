import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession } from 'onnxruntime-node';
import { readJson } from '../embedder/onnx-model.ts';
import { answerWith, readStartData } from '../onnx/answer.ts';
import { feedsOf, padIdOf, SESSION_OPTIONS } from '../onnx/feeds.ts';

interface Data {
  weights: string;
  tokenizer: string;
  tokenizerConfig: string;
  maxTokens: number;
  threads: number;
}

const options = readStartData<Data>();
const tokenizer = new Tokenizer(readJson(options.tokenizer), readJson(options.tokenizerConfig));
const padId = padIdOf(tokenizer);
const session = await InferenceSession.create(options.weights, SESSION_OPTIONS(options.threads));

answerWith(async ({ query, texts }: { query: string; texts: string[] }) => {
  const rows = texts.map((text) => {
    const { ids, token_type_ids } = tokenizer.encode(query, { text_pair: text, return_token_type_ids: true });
    const kept = ids.length <= options.maxTokens ? ids : [...ids.slice(0, options.maxTokens - 1), ids.at(-1)!];
    return { ids: kept, types: token_type_ids ?? [] };
  });
  const outputs = await session.run(
    feedsOf(
      session.inputNames,
      rows.map((row) => row.ids),
      rows.map((row) => row.types),
      padId,
    ),
  );
  const output = outputs[session.outputNames[0]!]!;
  const width = output.dims.length > 1 ? output.dims.at(-1)! : 1;
  const logits = output.data as Float32Array;
  // Of two logits, one stands for "not relevant" and one for "relevant": what counts is the difference.
  return Float32Array.from(texts, (_, at) =>
    sigmoid(width === 1 ? logits[at]! : logits[at * width + width - 1]! - logits[at * width]!),
  );
});

/** A logit as the probability it stands for: services answer 0 to 1, too. */
function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
