import { decodeMethod } from "./methods";
import { decodeRole } from "./roles";

// Every message here is the server's response to the same body.
describe("a body", () => {
  it.each([
    ['{"Name":"a",}', "invalid character '}' looking for beginning of object key string"],
    ['{"Name" "a"}', "invalid character '\"' after object key"],
    ['{"Name":"a" "b"}', "invalid character '\"' after object key:value pair"],
    ['{"Policies":[1 2]}', "invalid character '2' after array element"],
    ["{\"Name\":'a'}", "invalid character '\\'' looking for beginning of value"],
    ['{"Name":"a\nb"}', "invalid character '\\n' in string literal"],
    ['{"Name":"\\u12g4"}', "invalid character 'g' in \\u hexadecimal character escape"],
    ['{"Name":-}', "invalid character '}' in numeric literal"],
    ['{"Name":1.}', "invalid character '}' after decimal point in numeric literal"],
    ['{"Name":1e}', "invalid character '}' in exponent of numeric literal"],
    ['{"Description":true}', "json: cannot unmarshal bool into Go struct field ACLRole.Description of type string"],
    ['{"Policies":{}}', "json: cannot unmarshal object into Go struct field ACLRole.Policies of type []*structs.ACLRolePolicyLink"],
    ['{"CreateIndex":-1}', "json: cannot unmarshal number -1 into Go struct field ACLRole.CreateIndex of type uint64"],
    ['{"Hash":"zz!"}', "illegal base64 data at input byte 2"],
  ])("%s is refused", (body, message) => {
    expect(() => decodeRole(body)).toThrow(message);
  });

  it.each([
    ['{"MaxTokenTTL":""}', 'time: invalid duration ""'],
    ['{"Default":"yes"}', "json: cannot unmarshal string into Go struct field .Alias.Default of type bool"],
    ['{"CreateTime":"x"}', 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
    ['{"Config":{"ExpirationLeeway":{"a":[1,null,"b"]}}}', "unexpected ExpirationLeeway type: map[a:[1 <nil> b]]"],
    [
      '{"Config":{"BoundAudiences":"a"}}',
      "cannot unmarshal string into Go struct field .Alias.Config.Alias.BoundAudiences of type []string",
    ],
    [
      '{"Config":{"ClaimMappings":{"a":1}}}',
      "cannot unmarshal number into Go struct field .Alias.Config.Alias.ClaimMappings of type string",
    ],
    [
      '{"Config":{"ClaimMappings":[]}}',
      "cannot unmarshal array into Go struct field .Alias.Config.Alias.ClaimMappings of type map[string]string",
    ],
  ])("%s of an auth method is refused", (body, message) => {
    expect(() => decodeMethod(body)).toThrow(message);
  });

  it.each([
    ["lists", `{"X":${"[".repeat(200_000)}`, "invalid character '[' exceeded max depth"],
    ["maps", '{"a":'.repeat(200_000), "invalid character '{' exceeded max depth"],
    ["lists that nothing ends", "[".repeat(200_000), "invalid character '[' exceeded max depth"],
  ])("of %s nested without end is refused, and takes no more stack than there is", (_, body, message) => {
    for (const decode of [decodeRole, decodeMethod]) expect(() => decode(body)).toThrow(message);
  });

  it.each([
    ["longer than numbers are", "1".repeat(400), "json: cannot unmarshal number 111"],
    ["with a great exponent", "1e999", "json: cannot unmarshal number 1e999 into Go value of type float64"],
  ])("with a number of nanoseconds %s is refused", (_, number, message) => {
    expect(() => decodeMethod(`{"MaxTokenTTL":${number}}`)).toThrow(message);
  });

  it("with a time of many digits is read in no time", () => {
    const time = (digits: string) => `2026-01-01T00:00:00${digits}Z`;
    const startedAt = process.cpuUsage();
    expect(decodeMethod(JSON.stringify({ CreateTime: time(`.${"0".repeat(300_000)}1`) })).Name).toBe("");
    expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(1_000);
  });

  it("is read up to the end of its first value, with the last of equal keys", () => {
    expect(decodeRole('{"name":"a","NAME":"b","Name":null,"Unknown":1,"Policies":[null]} {')).toEqual({
      Description: "",
      ID: "",
      Name: "b",
      Policies: [{ Name: "" }],
    });
  });

  it("keeps null, empty and missing lists apart", () => {
    const body =
      '{"Config":{"OIDCScopes":[null],"BoundAudiences":[],"BoundIssuer":null,"ListClaimMappings":{"b":null,"a":"x"},"NotBeforeLeeway":""}}';
    expect(decodeMethod(body).Config).toMatchObject({
      OIDCScopes: [""],
      BoundAudiences: [],
      BoundIssuer: null,
      ClaimMappings: null,
      ListClaimMappings: { a: "x", b: "" },
      NotBeforeLeeway: "",
    });
  });

  it("writes times without trailing zeros, and durations from nanoseconds", () => {
    const method = decodeMethod('{"CreateTime":"2020-01-01T00:00:00.500Z","MaxTokenTTL":90000000000,"Config":{"ClockSkewLeeway":1.5e9}}');
    expect(method).toMatchObject({ CreateTime: "2020-01-01T00:00:00.5Z", MaxTokenTTL: "1m30s", Config: { ClockSkewLeeway: "1.5s" } });
    expect(decodeMethod('{"MaxTokenTTL":true}').MaxTokenTTL).toBe("");
  });
});
