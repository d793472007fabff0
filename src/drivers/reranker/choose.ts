import type { Settings } from '../../config/settings.ts';
import type { Fetcher } from '../../ports/fetcher.ts';
import type { Reranker } from '../../ports/reranker.ts';
import { createCohereReranker } from './cohere.ts';
import { createOnnxReranker } from './onnx.ts';
import { createTeiReranker } from './tei.ts';

const TIMEOUT_MS = 30_000;

/** TEI's when its address is set, else a Cohere-like service, else a local folder; none by default. */
export function chooseReranker(settings: Settings, fetcher: Fetcher): Reranker | undefined {
  const { reranker, tei, features } = settings;
  if (!features.enableReranker) return undefined;
  if (tei.rerankUrl !== undefined)
    return createTeiReranker({ fetcher, url: tei.rerankUrl, timeoutMs: tei.timeoutS * 1_000, model: reranker.model });
  if (reranker.url !== undefined)
    return createCohereReranker({
      fetcher,
      url: reranker.url,
      apiKey: reranker.apiKey,
      model: reranker.model ?? 'rerank-v3.5',
      timeoutMs: TIMEOUT_MS,
    });
  return reranker.path === undefined ? undefined : createOnnxReranker({ path: reranker.path });
}
