import { json } from 'node:stream/consumers';
import { createHashEmbedder } from './index-app.ts';
import { startWebServer, type WebServer } from './web-server.ts';

export interface ModelServer extends WebServer {
  requests: { path: string; authorization: string | undefined; body: Record<string, unknown> }[];
  /** Taken before real answers, first to last: a status, no answer at all, something other than JSON, bad vectors. */
  failures: (number | 'hang' | 'garbage' | 'nan' | 'short')[];
}

/** What a cross-encoder that counts words says of a count: the probability its logit stands for. */
export const scoreOf = (count: number) => 1 / (1 + Math.exp(-count));

/** Speaks the protocols of TEI (/embed, /rerank), OpenAI (/v1/embeddings) and Cohere (/v2/rerank). */
export async function startModelServer(dimension = 32): Promise<ModelServer> {
  const embedder = createHashEmbedder('stand-in', dimension);
  const requests: ModelServer['requests'] = [];
  const failures: ModelServer['failures'] = [];
  const server = await startWebServer(async (request, response) => {
    const body = (await json(request)) as Record<string, unknown>;
    requests.push({ path: request.url ?? '', authorization: request.headers.authorization, body });
    const failure = failures.shift();
    if (failure === 'hang') return;
    if (typeof failure === 'number') return response.writeHead(failure).end('{"error":"told to fail"}');
    if (failure === 'garbage') return response.writeHead(200).end('<html>');
    const answer = await answerTo(request.url ?? '', body);
    const text = JSON.stringify(answer);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      failure === 'nan'
        ? text.replace(/\[(-?[\d.]+)/, '[null')
        : failure === 'short'
          ? text.replace(/\[-?[\d.]+,/, '[')
          : text,
    );
  });
  const vectorsOf = async (texts: string[]) => (await embedder.embed(texts, 'document')).map((vector) => [...vector]);
  const ranked = (query: string, texts: string[]) =>
    texts
      .map((text, index) => ({ index, score: scoreOf(query.split(' ').filter((word) => text.includes(word)).length) }))
      .sort((a, b) => b.score - a.score);
  async function answerTo(path: string, body: Record<string, unknown>): Promise<unknown> {
    if (path === '/embed') return vectorsOf(body.inputs as string[]);
    if (path === '/v1/embeddings')
      return {
        data: (await vectorsOf(body.input as string[])).map((embedding, index) => ({ index, embedding })).toReversed(),
      };
    if (path === '/rerank') return ranked(body.query as string, body.texts as string[]);
    return {
      results: ranked(body.query as string, body.documents as string[]).map(({ index, score }) => ({
        index,
        relevance_score: score,
      })),
    };
  }
  return Object.assign(server, { requests, failures });
}
