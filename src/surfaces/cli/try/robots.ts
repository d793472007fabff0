import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import { parseRobots } from '../../../pipeline/fetch/robots.ts';
import { runFilter } from './filter.ts';

const Input = z.object({ robots: z.string().nullish(), user_agent: z.string().nullish(), url: z.string() });

export async function run(): Promise<void> {
  await runFilter((line) => {
    const { robots, user_agent, url } = Input.parse(line);
    if (/^[a-z][a-z0-9+.-]*:/i.test(url) && !URL.canParse(url))
      throw new AppError('URL_INVALID', 'the address cannot be read');
    const rules = parseRobots(robots ?? '', user_agent ?? '*');
    const delay = rules.crawlDelayMs;
    return { allowed: rules.allows(url), crawl_delay: delay === undefined ? null : delay / 1000 };
  });
}
