import { describe, expect, it } from '@jest/globals';
import { prompts, toolsOf } from '../../packages/mcp/src/prompts.ts';
import { toolName } from '../../packages/mcp/src/tool.ts';
import { environment } from '../cli/command.ts';
import { projectFiles, read } from '../structure/project.ts';
import { connect } from './support/connect.ts';

const env = environment('http://127.0.0.1:9/api/v1', { apiKey: 'svc_key' });

describe('the prompts', () => {
  it('are the recipes of the project that call an operation', () => {
    const recipes = projectFiles().filter((path) =>
      /^docs\/recipes\/(?!README|tell-chat).*\.md$/.test(path),
    );
    const titles = recipes.map((path) => /^# (.*)/.exec(read(path))?.[1]);
    const daily = (title = '') => title.replace('Daily availability', 'Availability');
    expect(prompts.map(({ title }) => title).sort()).toEqual(titles.map(daily).sort());
  });

  it('name existing tools, and contain the values that the user gives', async () => {
    const client = await connect('stdio', env);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    const listed = await client.listPrompts();
    expect(listed.prompts).toHaveLength(6);
    for (const prompt of prompts) {
      const { title, inputs } = prompt;
      const tools = toolsOf(prompt);
      expect(tools).not.toEqual([]);
      const name = toolName(title);
      const known = listed.prompts.find((one) => one.name === name);
      expect(known?.arguments?.map((argument) => [argument.name, argument.required])).toEqual(
        Object.keys(inputs).map((input) => [input, true]),
      );
      const given = Object.fromEntries(Object.keys(inputs).map((input) => [input, `the ${input}`]));
      const { messages } = await client.getPrompt({ name, arguments: given });
      const [message] = messages;
      const text = message?.content.type === 'text' ? message.content.text : '';
      for (const part of [...tools, ...Object.values(given)]) expect(text).toContain(part);
      expect(names).toEqual(expect.arrayContaining([...tools]));
      expect(text).not.toMatch(/undefined|[{}]/);
    }
  });

  it('say what they need', async () => {
    const client = await connect('stdio', env);
    const asked = client.getPrompt({ name: 'availability_report', arguments: { place: 'Berlin' } });
    await expect(asked).rejects.toThrow('Availability report needs period.');
  });
});
